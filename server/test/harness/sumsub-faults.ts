import type { ServerResponse } from "node:http";
import type { Fault } from "./pretend-sumsub.ts";

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

export const reset: Fault = (request) => {
  request.socket.resetAndDestroy();
};

export const hang: Fault = () => {};

export const drip: Fault = (request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 10);
  request.socket.on("close", () => clearInterval(timer));
};

export const huge: Fault = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const megabyte = Buffer.alloc(1024 * 1024, "[");
  const pour = (): void => {
    while (!response.destroyed && response.write(megabyte));
  };
  response.on("drain", pour);
  pour();
};

export const answerStatus =
  (code: number, headers: Record<string, string> = {}): Fault =>
  (_, response) => {
    response.writeHead(code, headers).end("{}");
  };

export const answerBody =
  (text: string): Fault =>
  (_, response) => {
    response.end(text);
  };
