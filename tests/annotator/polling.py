"""Pages that renew themselves, without waiting for their timers: call `page.clock.install()` before opening one."""

from playwright.sync_api import Page

INTERVAL = 2000  # milliseconds, as in annotator/core/_job_polling.html


def renew(page: Page) -> None:
    """Let the page ask again now."""
    page.clock.fast_forward(INTERVAL)


def polled_urls(page: Page) -> list[str]:
    """What the page asks for by itself within two intervals."""
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.clock.run_for(2 * INTERVAL)
    page.wait_for_timeout(200)  # requests are reported a moment after they are sent
    return [url for url in urls if "/progress/" in url]
