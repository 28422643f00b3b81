#!/usr/bin/env python3
"""Makes zones.tsv and days.tsv by Python's zoneinfo, which is another implementation than ours, from the system's tzdata.

    python3 vectors.py          beside this file

zones.tsv: zone, time on the wall, kind (one, two, none) and its moments; days around both changes of clocks of 2026 and of 2044, which no file
lists. days.tsv: zone, date, opening and closing on the wall, and the moments at which such a window opens and closes: the first of two,
and where there is none the one by the offset before (RFC 5545, 3.3.5), which zoneinfo's fold 0 is (PEP 495)."""
import datetime as d, os
from zoneinfo import ZoneInfo

HERE = os.path.dirname(os.path.abspath(__file__))
UTC = d.timezone.utc
# Days of a change in 2026 by the zone; Kolkata has none.
CHANGES = {"Europe/Berlin": ["2026-03-29", "2026-10-25"], "America/New_York": ["2026-03-08", "2026-11-01"],
           "Asia/Kolkata": ["2026-03-29", "2026-10-25"], "Pacific/Chatham": ["2026-04-05", "2026-09-27"],
           "Australia/Lord_Howe": ["2026-04-05", "2026-10-04"]}
LATER = {"Europe/Berlin": ["2044-03-27", "2044-10-30"], "America/New_York": ["2044-03-13", "2044-11-06"],
         "Pacific/Chatham": ["2044-04-03", "2044-09-25"], "Australia/Lord_Howe": ["2044-04-03", "2044-10-02"],
         "Asia/Kolkata": ["2044-02-29"]}
WINDOWS = [("00:30", "01:30"), ("01:45", "02:15"), ("02:30", "03:00"), ("02:00", "04:00"), ("09:00", "11:00"), ("22:00", "02:30")]


def moment(local, fold=0):
    return local.replace(fold=fold).astimezone(UTC)


def moments(wall, zone):
    local = wall.replace(tzinfo=ZoneInfo(zone))
    first, second = moment(local), moment(local, 1)
    if first == second:
        return "one", [first]
    if first.astimezone(ZoneInfo(zone)).replace(tzinfo=None) != wall:
        return "none", [first]
    return "two", sorted([first, second])


def text(instant):
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ")


def write(name, rows):
    with open(os.path.join(HERE, name), "w") as sink:
        for row in rows:
            sink.write("\t".join(row) + "\n")


def zones():
    for table in (CHANGES, LATER):
        for zone, days in table.items():
            for day in days:
                for time in ("00:00", "01:30", "01:59", "02:00", "02:15", "02:30", "02:45", "03:00", "03:15", "03:44", "03:45", "12:00"):
                    wall = d.datetime.fromisoformat(f"{day}T{time}:00")
                    kind, found = moments(wall, zone)
                    yield zone, wall.isoformat(), kind, *map(text, found)


def days():
    for zone, changes in CHANGES.items():
        for change in changes:
            for ahead in (-1, 0):
                day = d.date.fromisoformat(change) + d.timedelta(ahead)
                for opens, closes in WINDOWS:
                    begin = d.datetime.fromisoformat(f"{day}T{opens}:00")
                    end = d.datetime.fromisoformat(f"{day}T{closes}:00") + d.timedelta(closes <= opens)
                    yield zone, str(day), opens, closes, text(moments(begin, zone)[1][0]), text(moments(end, zone)[1][0])


if __name__ == "__main__":
    write("zones.tsv", zones())
    write("days.tsv", days())
