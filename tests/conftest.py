import pytest
from django.core.cache import cache
from django.test import Client

from annotator.models import Annotator, Role
from tests.factories import make_annotator


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Lock-outs and sessions live in the cache: no test may inherit another's."""
    cache.clear()


@pytest.fixture
def ada(db: None) -> Annotator:
    """An evaluator."""
    return make_annotator("ada", roles=[Role.EVALUATOR])


@pytest.fixture
def grace(db: None) -> Annotator:
    """An admin."""
    return make_annotator("grace", roles=[Role.ADMIN])


@pytest.fixture
def rosalind(db: None) -> Annotator:
    """A researcher."""
    return make_annotator("rosalind", roles=[Role.RESEARCHER])


@pytest.fixture
def as_ada(client: Client, ada: Annotator) -> Client:
    client.force_login(ada)
    return client


@pytest.fixture
def as_grace(client: Client, grace: Annotator) -> Client:
    client.force_login(grace)
    return client
