"""Where language models are asked, as admins set them up."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower, Now

from annotator.models import Annotator


class ModelEndpointQuerySet(models.QuerySet["ModelEndpoint"]):
    def usable(self) -> "ModelEndpointQuerySet":
        """Endpoints that new runs can choose."""
        return self.filter(archived_at=None).order_by(Lower("name"), "pk")


class ModelEndpoint(models.Model):
    """An OpenAI-compatible chat endpoint with one model, its key, its limits and its prices.

    The key is sealed like account names, and no page shows it again. Prices are per million tokens, as somebody read
    them on a day; without them, budgets count tokens.
    """

    name = models.CharField(max_length=80)
    base_url = models.CharField(max_length=300)
    model = models.CharField(max_length=200)
    sealed_key = models.BinaryField(null=True, blank=True, help_text="Encrypted; empty if the endpoint needs none.")
    concurrency = models.PositiveSmallIntegerField(default=8, help_text="Maximum number of parallel requests.")
    per_minute = models.PositiveIntegerField(
        null=True, blank=True, help_text="Maximum number of requests per minute, retries included."
    )
    timeout = models.PositiveSmallIntegerField(default=120, help_text="Time limit for one request in seconds.")
    prompt_price = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    completion_price = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    prices_read_on = models.DateField(null=True, blank=True)
    confirmed_host = models.CharField(max_length=255, blank=True, help_text="The host that may receive people's texts.")
    confirmed_by = models.ForeignKey(Annotator, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    confirmed_at = models.DateTimeField(null=True, blank=True)
    made_by = models.ForeignKey(Annotator, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(db_default=Now())
    archived_at = models.DateTimeField(null=True, blank=True)

    objects = ModelEndpointQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("name"),
                condition=Q(archived_at=None),
                name="endpoint_with_its_own_name",
                violation_error_message="Another endpoint has this name.",
            ),
            models.CheckConstraint(
                condition=Q(prompt_price=None, completion_price=None, prices_read_on=None, currency="")
                | Q(prompt_price__gte=0, completion_price__gte=0, prices_read_on__isnull=False, currency__gt=""),
                name="endpoint_with_all_prices_or_none",
                violation_error_message="Enter both prices with their currency and date, or none of them.",
            ),
            models.CheckConstraint(
                condition=Q(confirmed_host="", confirmed_at=None)
                | Q(confirmed_host__gt="", confirmed_at__isnull=False),
                name="endpoint_confirmed_with_a_time",
            ),
            models.CheckConstraint(
                condition=Q(concurrency__range=(1, 256), timeout__range=(1, 3600)), name="endpoint_within_limits"
            ),
        ]

    def __str__(self) -> str:
        return f"endpoint {self.pk}"
