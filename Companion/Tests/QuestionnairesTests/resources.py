"""Reads questionnaires, one a line, with Python's fhir.resources in its R4B model, the nearest to R4, and says how many it accepted."""
import sys
from fhir.resources.R4B.questionnaire import Questionnaire

count = 0
for line in sys.stdin:
    Questionnaire.model_validate_json(line)
    count += 1
print(f"{count} accepted")
