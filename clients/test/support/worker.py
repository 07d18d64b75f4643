"""Runs snippets for the tests: each line of standard input is JSON with `code`; each line of output is its outcome."""

import json
import os
import sys
import traceback

from sendwright import Sendwright, SendwrightError

# What a snippet prints is not for the output of the tests.
answers, sys.stdout = sys.stdout, open(os.devnull, "w")
names = {"sendwright": Sendwright(), "Sendwright": Sendwright, "SendwrightError": SendwrightError}


def run(code):
    names["result"] = None
    try:
        exec(compile(code, "snippet", "exec"), names)
        return {"value": names["result"]}
    except SendwrightError as error:
        return {"error": {**vars(error)}}
    except Exception:
        return {"error": {"name": "exception", "message": traceback.format_exc()}}


for line in sys.stdin:
    outcome = json.dumps(run(json.loads(line)["code"]), default=lambda value: value.decode("latin-1"))
    answers.write(outcome + "\n")
    answers.flush()
