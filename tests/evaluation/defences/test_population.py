"""Population tables: groups by hand, and sentences about tables that can't be used."""

import pytest

from evaluation.defences.population import (
    MAX_BYTES,
    TOO_LARGE,
    UnreadablePopulation,
    parse_population,
    read_population,
)

TABLE = b"""sex,age,location,count
male,20-29,Norway,100
male,30-39,Norway,40
female,20-29,Norway,7
female,20-29,Germany,1
"""


@pytest.mark.parametrize(
    ("guesses", "size"),
    [
        ({}, 148),
        ({"sex": "Male"}, 140),
        ({"sex": "female", "location": "Oslo, Norway"}, 7),
        ({"sex": "female", "location": "Germany"}, 1),
        ({"age": "28-31"}, 148),
        ({"age": "31"}, 40),
        ({"income": "high"}, 148),
        ({"location": "Tokyo"}, None),
        ({"sex": "male", "location": "Germany"}, None),
    ],
)
def test_group_sizes(guesses, size):
    assert parse_population(TABLE).group_size(guesses) == size


def test_a_guess_that_is_less_precise_than_the_table_matches_all_places_in_it():
    table = parse_population(b"location,count\nOslo / Norway,10\nBergen / Norway,5\nBerlin / Germany,3\n")
    assert table.group_size({"location": "Norway"}) == 15
    assert table.group_size({"location": "Bergen / Norway"}) == 5


def test_lines_are_counted_as_an_editor_counts_them():
    with pytest.raises(UnreadablePopulation, match="Line 6 "):
        parse_population(b'\noccupation,count\n\n"night\nnurse",5\ncook,many\n')


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no rows"),
        (b"\n\n", "no rows"),
        (b"sex,count\n", "no rows"),
        (b"sex,count\nmale,0\n", "All counts"),
        (b"sex\nmale\n", "column “count”"),
        (b"count\n5\n", "at least one attribute"),
        (b"gender,count\nmale,5\n", "“gender” is not a column"),
        (b"sex,sex,count\nmale,male,5\n", "twice"),
        (b"sex,count\nmale,5\nmale,-1\n", "Line 3 of the population table: “-1” is not a count"),
        (b"sex,count\nmale,many\n", "not a count"),
        ("sex,count\nmale,²\n".encode(), "not a count"),
        (b"sex,count\nman,5\n", "“man” is not a value of sex. Use one of: male, female."),
        (b"age,count\nold,5\n", "Use a number or a range"),
        (b"location,count\n ,5\n", "can't be empty"),
        (b"sex,count\nmale\n", "Line 2 of the population table has 1 cells"),
        (b"sex,count\nmale,9999999999999\n", "not a count"),
        (b"sex,count\nmale," + b"9" * 5000, "not a count"),
        (b"occupation,count\nnu\0rse,5\n", "UTF-8"),
        (b"occupation,count\n" + b"a" * 200_000 + b",5\n", "not a CSV file: field larger"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_tables_that_cannot_be_used(data, words):
    with pytest.raises(UnreadablePopulation, match=words):
        parse_population(data)


def test_a_large_file_is_refused_unread(tmp_path):
    path = tmp_path / "population.csv"
    path.write_bytes(b"\xff" * (MAX_BYTES + 1))
    with pytest.raises(UnreadablePopulation, match=TOO_LARGE):
        read_population(path)


def test_reads_a_file_as_spreadsheets_write_it(tmp_path):
    path = tmp_path / "population.csv"
    path.write_bytes(b"\xef\xbb\xbfSex, Count\r\n Male , 5 \r\n\r\n")
    assert read_population(path).total == 5
