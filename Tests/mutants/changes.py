"""Code in which every comparison, constant and sign has its change beside it, chosen by a number when it runs: it is built once.

An operator becomes an operator of its own with the same precedence, a constant a call; both are in Changed.swift, which this completes.
"""
import os
import re

DSP = "Sources/Sound/HearingDSP"
# Files, and from which text to which: the whole file where there are none.
PLACES = [
    (f"{DSP}/Output/OutputLimiter.swift",),
    (f"{DSP}/Output/OutputSafety.swift",),
    (f"{DSP}/Output/OutputLimits.swift",),
    (f"{DSP}/Gain/EarGain.swift", "struct EarGain", "  /// Greatest sum of all"),
    (f"{DSP}/Gain/EarGain.swift", "    if progress < 1 { moveFromFormer() }", "  /// Writes the levels"),
    (f"{DSP}/Gain/EarGain.swift", "private mutating func limit", "  /// Value of every band's"),
    (f"{DSP}/Gain/EarTable.swift", "private static let neighbourExcess", "  private mutating func fill"),
    (f"{DSP}/Gain/EarTable.swift", "static func limit(of", "  /// Two curves"),
    (f"{DSP}/Settings/EarFitting.swift", "static let gainCeiling", "  /// dB SPL that a full-scale sine in the output"),
    (f"{DSP}/Settings/EarFitting.swift", "func check(bandCount", "extension GainCurve"),
]
# Lists that are joined, and a level moved by dB: no arithmetic of numbers.
NOT_NUMBERS = [" + [", "(\\.gain) + ", "inputAtFullScale + levels"]

COMPARISONS = {"<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="], "==": ["!="], "!=": ["=="],
               ".<": [".>"], ".>": [".<"]}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*"}
ASSIGNMENTS = {"+=": "-=", "-=": "+=", "*=": "/="}
LOGIC = {"&&": "||", "||": "&&"}
CALLS = {"min": ("lesserOf", "max"), "max": ("greaterOf", "min"), "abs": ("magnitude", "")}
TOKEN = re.compile(
    r"(?P<compare>(?<= )(?:\.<|\.>|<=|>=|==|!=|<|>)(?= ))"
    r"|(?P<assign>(?<= )(?:\+=|-=|\*=)(?= ))"
    r"|(?P<sign>(?<= )[-+*/](?= ))"
    r"|(?P<logic>(?<= )(?:&&|\|\|)(?= ))"
    r"|(?P<minus>(?<=[\s(,:])-(?=[\w(]))"
    r"|(?P<not>(?<=[\s(])!(?=[\w(]))"
    r"|(?P<number>(?<![\w.$])\d[\d_]*(?:\.\d[\d_]*)?(?:e-?\d+)?(?!\w))"
    r"|(?P<truth>\b(?:true|false)\b)"
    r"|(?P<call>(?<![.\w])(?:min|max|abs)\()")


class Change:
    def __init__(self, number, path, line, found, made, text, column):
        self.number, self.path, self.line, self.found, self.made = number, path, line, found, made
        self.code = f"{text[:column]}{made}{text[column + len(found):]}".strip()

    def key(self):
        """File and line as it would read: numbers of lines change."""
        return f"{os.path.basename(self.path)}\t{self.code}"


def symbol(kind, number):
    """Characters of an operator of its own: what it was, and the number in two signs."""
    return kind + format(number, "010b").replace("0", "~").replace("1", "^")


class Changed:
    """All places, changed in a copy of their files."""

    def __init__(self, repository):
        self.changes, self.operators, self.files = [], [], {}
        for place in PLACES:
            path, *ends = place
            if path not in self.files:
                with open(f"{repository}/{path}") as file:
                    self.files[path] = file.read()
                # What other modules inline cannot name what is internal.
                self.files[path] = self.files[path].replace("@inlinable @inline(__always) ", "")
            whole = self.files[path]
            start = whole.index(ends[0]) if ends else 0
            end = whole.index(ends[1], start) if ends else len(whole)
            line = whole.count("\n", 0, start)
            lines = [self.line(path, line + n, text) for n, text in enumerate(whole[start:end].split("\n"))]
            self.files[path] = whole[:start] + "\n".join(lines) + whole[end:]

    def line(self, path, number, text):
        code = text.split("//")[0]
        if code.lstrip().startswith(("import", "public import", "#")) or any(words in code for words in NOT_NUMBERS):
            return text
        # Texts stay as they are.
        blank = re.sub(r'"[^"]*"', lambda match: " " * len(match.group()), code)
        result, last = "", 0
        for match in TOKEN.finditer(blank):
            result += code[last:match.start()] + self.token(match, path, number, text)
            last = match.end()
        return result + text[last:]

    def add(self, path, line, match, made, text):
        self.changes.append(Change(len(self.changes) + 1, path, line + 1, match.group().rstrip("("), made, text, match.start()))
        return len(self.changes)

    def token(self, match, path, line, text):
        kind, found = match.lastgroup, match.group()
        if kind == "number":
            value = float(found.replace("_", ""))
            more, less = (value + 1, value - 1) if value == int(value) else (value * 1.1, value / 1.1)
            first = self.add(path, line, match, f"{more:g}", text)
            self.add(path, line, match, f"{less:g}", text)
            return f"constant({first}, {found})"
        if kind == "truth":
            return f"constant({self.add(path, line, match, 'false' if found == 'true' else 'true', text)}, {found})"
        if kind == "call":
            name, other = CALLS[found[:-1]]
            return f"{name}({self.add(path, line, match, other, text)}, "
        if kind in ("minus", "not"):
            return self.prefix(self.add(path, line, match, "", text), found)
        if kind == "compare":
            first, *rest = [self.add(path, line, match, made, text) for made in COMPARISONS[found]]
            return self.comparison(first, found, bool(rest))
        if kind == "logic":
            return self.logic(self.add(path, line, match, LOGIC[found], text), found)
        if kind == "assign":
            return self.assignment(self.add(path, line, match, ASSIGNMENTS[found], text), found)
        return self.arithmetic(self.add(path, line, match, ARITHMETIC[found], text), found)

    def prefix(self, number, found):
        name = symbol("-" if found == "-" else "!", number)
        value, bound = ("Value", "<Value: SignedNumeric>") if found == "-" else ("Bool", "")
        self.operators.append(
            f"prefix operator {name}\nprefix func {name}{bound}(a: {value}) -> {value} {{ changeInForce == {number} ? a : {found}a }}")
        return name

    def comparison(self, number, found, isTwo):
        name = symbol("<" if found != "==" else "=", number)
        if found in (".<", ".>"):
            types, value, result = "", "SIMD4<Float>", "SIMDMask<SIMD4<Int32>>"
        else:
            types, value, result = f"<Value: {'Comparable' if isTwo else 'Equatable'}>", "Value", "Bool"
        chosen = "".join(f"changeInForce == {number + n} ? a {made} b : " for n, made in enumerate(COMPARISONS[found]))
        self.operators.append(
            f"infix operator {name}: ComparisonPrecedence\n"
            f"func {name}{types}(a: {value}, b: {value}) -> {result} {{ {chosen}a {found} b }}")
        return name

    def logic(self, number, found):
        name = symbol("&" if found == "&&" else "|", number)
        precedence = "LogicalConjunctionPrecedence" if found == "&&" else "LogicalDisjunctionPrecedence"
        self.operators.append(
            f"infix operator {name}: {precedence}\nfunc {name}(a: Bool, b: @autoclosure () -> Bool) -> Bool "
            f"{{ changeInForce == {number} ? a {LOGIC[found]} b() : a {found} b() }}")
        return name

    def assignment(self, number, found):
        name = symbol("%", number)
        self.operators.append(
            f"infix operator {name}: AssignmentPrecedence\nfunc {name}<Value: Changeable>(a: inout Value, b: Value) "
            f"{{ a = changeInForce == {number} ? a {ASSIGNMENTS[found][0]} b : a {found[0]} b }}")
        return name

    def arithmetic(self, number, found):
        name = symbol("+" if found in "+-" else "*", number)
        precedence = "AdditionPrecedence" if found in "+-" else "MultiplicationPrecedence"
        self.operators.append(
            f"infix operator {name}: {precedence}\nfunc {name}<Value: Changeable>(a: Value, b: Value) -> Value "
            f"{{ changeInForce == {number} ? a {ARITHMETIC[found]} b : a {found} b }}")
        return name
