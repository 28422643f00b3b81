"""Reads a calendar from standard input as Python's icalendar and recurring-ical-events do, and prints when each event begins and ends."""
import datetime as d, sys
import icalendar, recurring_ical_events

calendar = icalendar.Calendar.from_ical(sys.stdin.read())
moments = []
for event in recurring_ical_events.of(calendar).between(d.date(2026, 2, 18), d.date(2026, 5, 23)):
    begin, end = (event[key].dt.astimezone(d.timezone.utc) for key in ("DTSTART", "DTEND"))
    moments.append(f"{begin:%Y-%m-%dT%H:%M:%SZ} {end:%Y-%m-%dT%H:%M:%SZ}")
print("\n".join(sorted(moments)))
