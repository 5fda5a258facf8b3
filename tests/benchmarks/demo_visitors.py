"""Eight people who sign in to the demo study and read what they are shown, page after page."""

import re
import threading
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from urllib.parse import urlencode

PEOPLE = ["eva", "ben", "admin", "rita"] * 2
PASSWORD = "telltale-demo"
PAGES = 25
LINK = re.compile(r'href="(/[^"#]*)"')
TOKEN = re.compile(r'csrfmiddlewaretoken" value="([^"]+)')


def read_pages(port: int) -> None:
    threads = [threading.Thread(target=_read, args=(port, name)) for name in PEOPLE]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _read(port: int, name: str) -> None:
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    token = TOKEN.search(_fetch(browser, port, "/account/login/"))
    assert token
    form = {"login": name, "password": PASSWORD, "csrfmiddlewaretoken": token[1]}
    waiting, seen = LINK.findall(_fetch(browser, port, "/account/login/", form)), set[str]()
    assert "/" in waiting, f"{name} could not sign in"
    while waiting and len(seen) < PAGES:
        link = waiting.pop(0).replace("&amp;", "&")
        if link not in seen and "logout" not in link and not link.startswith("/static/"):
            seen.add(link)
            waiting += LINK.findall(_fetch(browser, port, link))


def _fetch(browser: urllib.request.OpenerDirector, port: int, path: str, form: dict[str, str] | None = None) -> str:
    site = f"http://127.0.0.1:{port}"
    request = urllib.request.Request(site + path, form and urlencode(form).encode(), {"Referer": f"{site}/"})  # noqa: S310 http
    try:
        with browser.open(request, timeout=120) as response:
            return str(response.read().decode(errors="replace"))
    except urllib.error.HTTPError:  # a link that asks for more than this visitor may see
        return ""
