# SPDX-License-Identifier: Apache-2.0
"""A pretended API of GitHub on loopback, for the scripts of ci-templates/github.

usage: fakeapi.py FOLDER      serves until it is ended; writes its port to FOLDER/port

FOLDER/state.json says what there is: comments [{id, login, body}], pulls, artifacts, and what is to fail:
fail [{"match": "METHOD PATH", "status": N, "times": N, "headers": {}}]. FOLDER/zip is the artifact. Every call is a line of
FOLDER/log: method, path, status, length of the body, and if the token was right. Comments, git objects and refs that are
written go into the state.
"""
import http.server
import json
import os
import re
import sys
import urllib.parse

FOLDER = sys.argv[1]
TOKEN = "Bearer token-of-the-job"
MAX_BODY = 65536  # characters of a comment


def load():
    with open(os.path.join(FOLDER, "state.json"), encoding="utf-8") as file:
        return json.load(file)


def save(state):
    with open(os.path.join(FOLDER, "state.json"), "w", encoding="utf-8") as file:
        json.dump(state, file)


class Api(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, value=None, headers=None, raw=None):
        body = raw if raw is not None else json.dumps(value).encode()
        self.send_response(status)
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        right = self.headers.get("Authorization") == TOKEN
        with open(os.path.join(FOLDER, "log"), "a", encoding="utf-8") as file:
            file.write(f"{self.command} {self.path} {status} {self.length} {'token' if right else 'no-token'}\n")

    def handle_all(self):
        self.length = int(self.headers.get("Content-Length") or 0)
        sent = self.rfile.read(self.length)
        state = load()
        if urllib.parse.urlsplit(self.path).path.startswith("/blob/"):  # storage: must not see the token
            with open(os.path.join(FOLDER, "zip"), "rb") as file:
                return self.answer(200, raw=file.read())
        for failure in state.get("fail", []):
            if failure["times"] > 0 and f"{self.command} {self.path}".startswith(failure["match"]):
                failure["times"] -= 1
                save(state)
                return self.answer(failure["status"], {"message": "pretended"}, failure.get("headers"))
        if self.headers.get("Authorization") != TOKEN:
            return self.answer(401, {"message": "Bad credentials"})
        return self.route(state, sent)

    do_GET = do_POST = do_PATCH = handle_all

    def route(self, state, sent):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        path = url.path.removeprefix("/repos/example/catalog")
        if match := re.fullmatch(r"/issues/(\d+)/comments", path):
            comments = [c for c in state["comments"] if c["issue"] == int(match[1])]
            if self.command == "POST":
                return self.write(state, {"id": 1000 + len(state["comments"]), "login": "github-actions[bot]", "issue": int(match[1])}, sent, 201)
            size, page = int(query.get("per_page", 30)), int(query.get("page", 1))
            return self.answer(200, [{"id": c["id"], "user": {"login": c["login"]}, "body": c["body"]}
                                     for c in comments[(page - 1) * size:page * size]])
        if match := re.fullmatch(r"/issues/comments/(\d+)", path):
            found = [c for c in state["comments"] if c["id"] == int(match[1])]
            if self.command != "PATCH" or not found or found[0]["login"] != "github-actions[bot]":
                return self.answer(403, {"message": "Resource not accessible by integration"})
            state["comments"].remove(found[0])
            return self.write(state, found[0], sent, 200)
        if path == "/pulls":
            return self.answer(200, [p for p in state["pulls"] if p["state"] == query["state"] and p["head"]["label"] == query["head"]])
        if match := re.fullmatch(r"/pulls/(\d+)", path):
            found = [p for p in state["pulls"] if p["number"] == int(match[1])]
            return self.answer(200, found[0]) if found else self.answer(404, {"message": "Not Found"})
        if re.fullmatch(r"/actions/runs/\d+/artifacts", path):
            return self.answer(200, {"artifacts": [a for a in state["artifacts"] if a["name"] == query["name"]]})
        if re.fullmatch(r"/actions/artifacts/\d+/zip", path):
            # another host: curl keeps the token to itself there
            return self.answer(302, None, {"Location": f"http://localhost:{self.server.server_port}/blob/zip"})
        if path.startswith("/git/"):
            return self.git(state, path.removeprefix("/git/"), sent)
        return self.answer(404, {"message": "Not Found"})

    def git(self, state, path, sent):
        """Objects are numbered, and refs are names for them: state["git"] and state["refs"]."""
        objects, refs = state.setdefault("git", []), state.setdefault("refs", {})
        if path.startswith("matching-refs/"):
            wanted = "refs/" + path.removeprefix("matching-refs/")
            return self.answer(200, [{"ref": ref} for ref in refs if ref.startswith(wanted)])
        if path == "refs" and json.loads(sent)["ref"] in refs or path.startswith("refs/") and path not in refs:
            return self.answer(422, {"message": "Reference already exists, or does not"})
        if path == "refs" or path.startswith("refs/"):
            refs[json.loads(sent)["ref"] if path == "refs" else path] = json.loads(sent)["sha"]
        else:
            objects.append(json.loads(sent))
        save(state)
        return self.answer(201, {"sha": f"{len(objects):040x}"})

    def write(self, state, comment, sent, status):
        body = json.loads(sent)["body"]
        if len(body) > MAX_BODY:
            return self.answer(422, {"message": "Body is too long"})
        state["comments"].append({**comment, "body": body})
        save(state)
        return self.answer(status, {"id": comment["id"]})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api)
with open(os.path.join(FOLDER, "port.new"), "w", encoding="utf-8") as port:
    port.write(str(server.server_port))
os.rename(os.path.join(FOLDER, "port.new"), os.path.join(FOLDER, "port"))
server.serve_forever()
