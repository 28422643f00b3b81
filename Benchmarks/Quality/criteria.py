"""What must hold in quiet, against the plain NAL-R filter on the same file."""

import signals
import systems

HASPI_LOSS = 0.02  # most that HASPI may lie below the filter's at 65 dB SPL
HASQI_LEAST = 0.90  # at 65 dB SPL with the linear rule
GROWTH = 0.02  # by which that loss of HASQI may grow from 65 to 80 dB SPL; own choice
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

    plain, held = (at.get((65, s)) for s in (systems.FILTER, systems.HELD))
    linear, compressive = (at.get((65, s)) for s in (systems.LINEAR, systems.COMPRESSIVE))
    if plain and compressive:
        yield least("65 dB SPL, usual rule: HASPI", compressive["haspi"], plain["haspi"] - HASPI_LOSS)
    if plain and linear:
        yield least("65 dB SPL, NAL-R: HASPI", linear["haspi"], plain["haspi"] - HASPI_LOSS, counts=False)
        yield least("65 dB SPL, NAL-R: HASQI", linear["hasqi"], HASQI_LEAST)
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
    loud, ours = at.get((80, systems.HELD)), at.get((80, systems.LINEAR))
    if loud and ours:
        yield least("80 dB SPL, NAL-R: HASQI", ours["hasqi"], loud["hasqi"])
        if held and linear:
            # What the delay and the rule's exact shape cost is there at 65 dB SPL too.
            lost = held["hasqi"] - linear["hasqi"]
            yield least("80 dB SPL, NAL-R: HASQI, but for what is lost at 65", ours["hasqi"],
                        loud["hasqi"] - lost - GROWTH, counts=False)
