# SPDX-License-Identifier: Apache-2.0
"""A pretended API of GitLab on loopback, for the scripts of ci-templates/gitlab.

usage: fakegitlab.py FOLDER      serves until it is ended; writes its port to FOLDER/port

FOLDER/state.json says what there is: notes [{id, author, system, body}], request {state, sha}, jobs [{id, name, pipeline}],
user, and what is to fail: fail [{"match": "METHOD PATH", "status": N, "times": N, "headers": {}}]. FOLDER/artifacts/JOB/PATH
are artifacts. Every call is a line of FOLDER/log: method, path, status, length of the body, and if the token was right.
Lists come in pages of per_page, at most 100. Notes that are written go into the state; one that is longer than a note may
be, or that would be a command to GitLab, is told in FOLDER/offences.
"""
import http.server
import json
import os
import re
import sys
import urllib.parse

FOLDER = sys.argv[1]
TOKEN = "glpat-of-the-bot"
PROJECT, REQUEST = "41", "7"  # of the merge request
MAX_NOTE = 1000000


def path_of(*names):
    return os.path.join(FOLDER, *names)


def load():
    with open(path_of("state.json"), encoding="utf-8") as file:
        return json.load(file)


def save(state):
    with open(path_of("state.json"), "w", encoding="utf-8") as file:
        json.dump(state, file)


class Api(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, value=None, headers=None, raw=None):
        body = raw if raw is not None else json.dumps(value).encode()
        right = self.headers.get("PRIVATE-TOKEN") == TOKEN
        with open(path_of("log"), "a", encoding="utf-8") as file:
            file.write(f"{self.command} {self.path} {status} {self.length} {'token' if right else 'no-token'}\n")
        self.send_response(status)
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_all(self):
        self.length = int(self.headers.get("Content-Length") or 0)
        sent = self.rfile.read(self.length)
        state = load()
        for failure in state.get("fail", []):
            if failure["times"] > 0 and f"{self.command} {self.path}".startswith(failure["match"]):
                failure["times"] -= 1
                save(state)
                return self.answer(failure["status"], {"message": "pretended"}, failure.get("headers"))
        if self.headers.get("PRIVATE-TOKEN") != TOKEN:
            return self.answer(401, {"message": "401 Unauthorized"})
        return self.route(state, sent)

    do_GET = do_POST = do_PUT = handle_all

    def page(self, rows, query):
        size, number = min(int(query.get("per_page", 20)), 100), int(query.get("page", 1))
        return self.answer(200, rows[(number - 1) * size:number * size])

    def route(self, state, sent):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        path = url.path.removeprefix("/api/v4")
        if self.command == "GET" and path == "/user":
            return self.answer(200, {"id": state["user"]})
        if self.command == "GET" and path == f"/projects/{PROJECT}/merge_requests/{REQUEST}":
            return self.answer(200, state["request"])
        if self.command == "GET" and (match := re.fullmatch(r"/projects/\d+/pipelines/(\d+)/jobs", path)):
            return self.page([{"id": job["id"], "name": job["name"], "pipeline": {"id": job["pipeline"]}}
                              for job in state["jobs"] if job["pipeline"] == int(match[1])], query)
        if self.command == "GET" and (match := re.fullmatch(r"/projects/\d+/jobs/(\d+)/artifacts/([\w./-]+)", path)):
            file = path_of("artifacts", match[1], match[2])
            if ".." in path or not os.path.isfile(file):
                return self.answer(404, {"message": "404 Not Found"})
            with open(file, "rb") as artifact:
                return self.answer(200, raw=artifact.read())
        if match := re.fullmatch(rf"/projects/{PROJECT}/merge_requests/{REQUEST}/notes(?:/(\d+))?", path):
            return self.notes(state, match[1], sent, query)
        return self.answer(404, {"message": "404 Not Found"})

    def notes(self, state, number, sent, query):
        if self.command == "GET" and number is None:
            return self.page([{"id": note["id"], "author": {"id": note["author"]}, "system": note.get("system", False), "body": note["body"]}
                              for note in state["notes"]], query)
        found = [note for note in state["notes"] if str(note["id"]) == number]
        if self.command == "PUT" and found and found[0]["author"] == state["user"]:
            return self.write(state, found[0], sent, 200)
        if self.command == "POST" and number is None:
            note = {"id": 1000 + len(state["notes"]), "author": state["user"]}
            state["notes"].append(note)
            return self.write(state, note, sent, 201)
        return self.answer(403, {"message": "403 Forbidden"})

    def write(self, state, note, sent, status):
        if self.headers.get("Content-Type") != "application/json":
            return self.answer(400, {"message": "no JSON"})
        note["body"] = json.loads(sent)["body"]
        commands = [line for line in note["body"].splitlines() if re.match(r"\s*/[a-z_]+", line)]
        if commands or len(note["body"]) > MAX_NOTE:
            with open(path_of("offences"), "a", encoding="utf-8") as file:
                file.write(f"{commands} {len(note['body'])}\n")
        save(state)
        return self.answer(status, {"id": note["id"]})


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """A client may leave before it has read everything."""


server = Server(("127.0.0.1", 0), Api)
with open(path_of("port.new"), "w", encoding="utf-8") as port:
    port.write(str(server.server_port))
os.rename(path_of("port.new"), path_of("port"))
server.serve_forever()
