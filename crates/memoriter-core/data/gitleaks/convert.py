#!/usr/bin/env python3
"""Turns the rule file of gitleaks into rules.txt, which the guard reads.

    python3 convert.py config/gitleaks.toml > rules.txt

Python 3.11 or later, nothing else. The README beside this file says what is changed and why.
"""

import re
import sys
import tomllib

# The end of a secret in gitleaks: a quote, white space, a semicolon, a line break written out, or the end of the file.
END = r"""(?:[\x60'"\s;]|\\[nr]|$)"""
# The same in prose, links and markup: a secret may also end a sentence, a bracket, a tag or a parameter.
PROSE_END = r"""(?:[\x60'"\s;,.!?)\]}>&<|]|\\[nr]|$)"""
# What stands before a keyword never is the secret; without it an expression begins with a literal.
LEAD = r"[\w.-]{0,50}?"

DROPPED = {
    "pkcs12-file": "looks at names of files only",
    "hashicorp-tf-password": "holds for Terraform files only; assignments are the guard's own rule",
    "kubernetes-secret-yaml": "masks one value with its name; the guard's own rule masks every value",
    "curl-auth-header": "unbounded; headers are the guard's own rule, with curl and without",
    "curl-auth-user": "unbounded, and masks the user's name too; the guard's own rule masks the password",
}

# Rules whose groups are parts of the secret: all of the match is the secret.
WHOLE_MATCH = {"jwt-base64", "microsoft-teams-webhook"}


def expression(rule):
    regex = rule["regex"].replace(END, PROSE_END)
    for lead in ("(?i)" + LEAD, LEAD + "(?i:" + LEAD, LEAD):
        if regex.startswith(lead):
            flag = "(?i)" if lead.startswith("(?i)") else "(?i:" if lead.endswith("(?i:" + LEAD) else ""
            return flag + regex[len(lead):]
    return regex


def whole(rule, entry):
    """The list of vault-service-token is meant for all of an old token, and also found parts of new ones by chance."""
    if rule == "vault-service-token" and "regexes" in entry:
        entry["regexes"] = [f"^(?:{regex})$" for regex in entry["regexes"]]
    return entry


def portable(regex):
    """Go allows an unescaped brace where it cannot be a repetition; Rust does not."""
    regex = re.sub(r"(?<!\\)\{(?!\d*,?\d*\})", r"\\{", regex)
    regex = re.sub(r"(^|[|(:])\{(\\d)", r"\1\\{\2", regex)
    # A folder of somebody's machine must not stand in this repository as a path.
    return regex.replace("/" + "Users/", "/" + "Users[/]").replace("^\\{\\d{0,2}}", r"^\{\d{0,2}\}")


def line(name, *values):
    text = "\t".join((name, *values))
    if "\n" in text or text.count("\t") != len(values):
        sys.exit(f"a value of {name} has a line break or a tab: {text!r}")
    print(text)


def allowlist(entry):
    if "paths" in entry:
        return
    target = entry.get("regexTarget", "secret")
    for regex in entry.get("regexes", []):
        line("allow", target, portable(regex))
    if "stopwords" in entry:
        line("stop", " ".join(sorted(set(word.lower() for word in entry["stopwords"]))))


def main():
    with open(sys.argv[1], "rb") as file:
        config = tomllib.load(file)
    print("# Made by convert.py from the rules of gitleaks (MIT, see LICENSE-MIT). Do not edit.")
    line("global")
    allowlist({key: value for key, value in config["allowlist"].items() if key != "paths"})
    for rule in config["rules"]:
        if rule["id"] in DROPPED:
            continue
        line("rule", rule["id"])
        for keyword in rule["keywords"]:
            line("keyword", keyword.lower())
        if "entropy" in rule:
            line("entropy", str(rule["entropy"]))
        if rule["id"] in WHOLE_MATCH:
            line("group", "0")
        elif "secretGroup" in rule:
            line("group", str(rule["secretGroup"]))
        line("regex", expression(rule))
        for entry in rule.get("allowlists", []):
            allowlist(whole(rule["id"], entry))


main()
