// A webhook receiver: verifies what it is sent, prints it, and counts nothing twice.
// node docs/examples/receiver.mjs [--once]
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { webhooks } from "@florin/sdk";

const folder = process.env.FLORIN_DATA_DIR ?? ".florin";
const { webhookSecret } = JSON.parse(readFileSync(`${folder}/sandbox.json`, "utf8"));
const seen = new Set();

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const event = await webhooks.verify(Buffer.concat(chunks), request.headers, webhookSecret);
    const isNew = !seen.has(event.eventId);
    seen.add(event.eventId);
    process.stdout.write(
      `${isNew ? "verified" : "seen before"}: ${event.eventType} ${event.eventId}\n`,
    );
    response.writeHead(204).end();
    if (process.argv.includes("--once")) server.close();
  } catch (error) {
    process.stdout.write(`refused: ${error.message}\n`);
    response.writeHead(400).end();
  }
});
server.listen(Number(process.env.PORT ?? 4300), "127.0.0.1");
