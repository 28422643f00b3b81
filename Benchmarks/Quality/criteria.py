"""What must hold in quiet, against the plain NAL-R filter on the same file."""

import signals
import systems

HASPI_LOSS = 0.02  # most that HASPI may lie below the filter's at 65 dB SPL
HASQI_LEAST = 0.90  # at 65 dB SPL with the linear rule
CLEAR = 0.9  # HASPI of the filter below which compression must do better at 50 dB SPL
LEVEL_EXCESS = 0.33  # dB: level of 10 ms may lie above the limit by the crest of a low tone
QUIET = "quiet"


def checks(rows):
    """(what, ear, found, wanted, holds, counts), in the order of the ears; what does not count explains the rest."""
    figures = {(r["audiogram"], r["level"], r["system"]): r for r in rows if r["condition"] == QUIET}
    result = []
    for ear in dict.fromkeys(r["audiogram"] for r in rows):
        at = {key[1:]: row for key, row in figures.items() if key[0] == ear}
        result += [{"ear": ear} | check for check in of_ear(at)]
    return result


def of_ear(at):
    """Checks of one ear; `at` finds figures by level and system."""
    def check(what, found, wanted, holds, counts=True):
        return {"what": what, "found": found, "wanted": wanted, "holds": bool(holds), "counts": counts}

    def least(what, ours, wanted, counts=True):
        return check(what, ours, wanted, ours >= wanted, counts)

    plain, minimum = (at.get((65, s)) for s in (systems.FILTER, systems.MINIMUM))
    linear, compressive = (at.get((65, s)) for s in (systems.LINEAR, systems.COMPRESSIVE))
    if plain and compressive:
        yield least("65 dB SPL, usual rule: HASPI", compressive["haspi"], plain["haspi"] - HASPI_LOSS)
    if plain and linear:
        yield least("65 dB SPL, NAL-R: HASPI", linear["haspi"], plain["haspi"] - HASPI_LOSS)
        yield least("65 dB SPL, NAL-R: HASQI", linear["hasqi"], HASQI_LEAST)
    if minimum and linear:
        yield least("65 dB SPL, NAL-R: HASQI against the filter within the limit, minimum phase",
                    linear["hasqi"], minimum["hasqi"], counts=False)
    raised = at.get((65, systems.LINEAR + systems.RAISED))
    if raised:
        yield least("65 dB SPL, NAL-R, limit prescribed for the ear: HASQI", raised["hasqi"], HASQI_LEAST, counts=False)
    soft, ours = at.get((50, systems.FILTER)), at.get((50, systems.COMPRESSIVE))
    if soft and ours and soft["haspi"] < CLEAR:
        yield check("50 dB SPL, usual rule: HASPI", ours["haspi"], soft["haspi"], ours["haspi"] > soft["haspi"])
    peak, most = systems.LIMIT + signals.SINE, systems.LIMIT + LEVEL_EXCESS
    for label, short in ((systems.LINEAR, "NAL-R"), (systems.COMPRESSIVE, "usual rule")):
        if ours := at.get((80, label)):
            found = ours["peak"]
            yield check(f"80 dB SPL, {short}: peak, dB SPL", found, peak, found <= peak + 1e-3)
            found = ours["short"]
            yield check(f"80 dB SPL, {short}: 10 ms, dB SPL", found, most, found <= most)
    if not (ours := at.get((80, systems.LINEAR))):
        return
    if plain := at.get((80, systems.FILTER)):
        yield least("80 dB SPL, NAL-R: HASQI", ours["hasqi"], plain["hasqi"])
    # Why: what the limit takes from the filter too, and the delay that the filter has and an aid may not.
    for label, short in ((systems.HELD, "within the limit"), (systems.MINIMUM, "within the limit, minimum phase")):
        if other := at.get((80, label)):
            yield least(f"80 dB SPL, NAL-R: HASQI against the filter {short}", ours["hasqi"], other["hasqi"],
                        counts=False)
    held, ours = (at.get((80, s + systems.RAISED)) for s in (systems.HELD, systems.LINEAR))
    if held and ours:
        yield least("80 dB SPL, NAL-R, limit prescribed for the ear: HASQI against the filter within it", ours["hasqi"],
                    held["hasqi"], counts=False)
