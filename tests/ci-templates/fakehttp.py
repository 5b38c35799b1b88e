# SPDX-License-Identifier: Apache-2.0
"""Pretends to be an HTTP service on loopback: records what it is sent, and answers as told.

usage: fakehttp.py FOLDER     serves until it is ended; writes its port to FOLDER/port

FOLDER/answers.json is a list, of which the first that matches is given: [{"match": "METHOD PATH-PREFIX", "status": N,
"body": "...", "headers": {}, "times": N}]; without "times" it never ends. What matches none gets 404. FOLDER/authorization
is what the header of that name must be; if it is there and differs, the answer is 401. The Nth request is FOLDER/N.json
(method, path, headers, status) and FOLDER/N.body.
"""
import http.server
import json
import os
import sys
import threading

FOLDER = sys.argv[1]
LOCK = threading.Lock()


def path_of(name):
    return os.path.join(FOLDER, name)


def chosen(request):
    """The answer to a request such as "POST /ingest", with one of its times used up."""
    with open(path_of("answers.json"), encoding="utf-8") as file:
        answers = json.load(file)
    for answer in answers:
        if request.startswith(answer["match"]) and answer.get("times", 1) > 0:
            if "times" in answer:
                answer["times"] -= 1
                with open(path_of("answers.json"), "w", encoding="utf-8") as file:
                    json.dump(answers, file)
            return answer
    return {"status": 404, "body": "not found"}


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def refused(self):
        if not os.path.exists(path_of("authorization")):
            return False
        with open(path_of("authorization"), encoding="utf-8") as file:
            return self.headers.get("Authorization") != file.read().strip()

    def record(self, body, status):
        number = 1 + sum(name.endswith(".body") for name in os.listdir(FOLDER))
        with open(path_of(f"{number}.json"), "w", encoding="utf-8") as file:
            json.dump({"method": self.command, "path": self.path, "headers": dict(self.headers), "status": status}, file)
        with open(path_of(f"{number}.body"), "wb") as file:
            file.write(body)

    def handle_all(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with LOCK:
            answer = {"status": 401, "body": "Unauthorized"} if self.refused() else chosen(f"{self.command} {self.path}")
            self.record(body, answer["status"])
        sent = answer.get("body", "").encode()
        self.send_response(answer["status"])
        for name, text in answer.get("headers", {}).items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    do_GET = do_POST = do_PUT = handle_all


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
with open(path_of("port.new"), "w", encoding="utf-8") as port:
    port.write(str(server.server_port))
os.rename(path_of("port.new"), path_of("port"))
server.serve_forever()
