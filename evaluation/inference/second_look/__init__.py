"""A second look: people review claims of a system where they had found nothing, with controls mixed in blind."""
