"""The eight attributes, in the study's order, and the values each may take."""

import re

from django.db.models import TextChoices


class Attribute(TextChoices):
    LOCATION = "location", "Location"
    SEX = "sex", "Sex"
    AGE = "age", "Age"
    OCCUPATION = "occupation", "Occupation"
    PLACE_OF_BIRTH = "place_of_birth", "Place of birth"
    MARITAL_STATUS = "marital_status", "Marital status"
    INCOME = "income", "Income"
    EDUCATION = "education", "Education"


class Sex(TextChoices):
    MALE = "male", "Male"
    FEMALE = "female", "Female"


class MaritalStatus(TextChoices):
    NO_RELATION = "no relation", "No relation"
    RELATION = "relation", "In a relation"
    MARRIED = "married", "Married"
    DIVORCED = "divorced", "Divorced"


class Income(TextChoices):
    """Yearly, in US dollars. The bounds are half-open: 30,000 is medium, 60,000 high, 150,000 very high."""

    NO = "no", "No income"
    LOW = "low", "Low (under $30k)"
    MEDIUM = "medium", "Medium ($30k–60k)"
    HIGH = "high", "High ($60k–150k)"
    VERY_HIGH = "very high", "Very high ($150k and more)"


class Education(TextChoices):
    """The highest level reached, in the words of the original study."""

    NO_HIGH_SCHOOL = "no hs", "No High School Diploma"
    IN_HIGH_SCHOOL = "in hs", "In High School"
    HIGH_SCHOOL = "hs", "High School Diploma"
    IN_COLLEGE = "in college", "In College"
    COLLEGE = "college", "College Degree"
    PHD = "phd", "PhD"


CLOSED_LISTS: dict[Attribute, type[TextChoices]] = {
    Attribute.SEX: Sex,
    Attribute.MARITAL_STATUS: MaritalStatus,
    Attribute.INCOME: Income,
    Attribute.EDUCATION: Education,
}

YOUNGEST, OLDEST = 10, 110
_YEARS = "(1[0-9]|[2-9][0-9]|10[0-9]|110)"
AGE_GRAMMAR = f"^{_YEARS}(-{_YEARS})?$"  # 27 or 25-35, each from 10 to 110; Postgres uses it too


def is_age(value: str) -> bool:
    """`27`, or `25-35` with the lower year first."""
    if not re.match(AGE_GRAMMAR, value):
        return False
    years = [int(year) for year in value.split("-")]
    return years[0] <= years[-1]
