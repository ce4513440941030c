import { afterAll, expect, test } from "vitest";
import { OptionsError, readOptions } from "../torture/options.ts";
import { Random } from "../torture/random.ts";
import { cleanUp, projectRoot, start } from "./harness/process.ts";

afterAll(cleanUp);

test("a service that is killed twice under load loses nothing and does nothing twice", async () => {
  const script = `${projectRoot}/server/dist/torture.js`;
  const args = [script, "--kills", "2", "--seed", "5", "--senders", "20"];
  const torture = start(process.execPath, args, {});
  const { code } = await torture.exited;
  expect({ code, said: torture.stdout, stderr: torture.stderr }).toMatchObject({
    code: 0,
    said: expect.stringMatching(/seed 5[\s\S]+kill 1\/2[\s\S]+kill 2\/2[\s\S]+survived 2 kills/),
    stderr: "",
  });
}, 180_000);

test("the same seed makes the same choices", () => {
  const draw = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 50 }, () => random.between(1, 6));
  };
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  expect([...new Set(draw(1))].sort()).toEqual([1, 2, 3, 4, 5, 6]);
});

test.each<[string[], object]>([
  [[], { kills: 10, seed: 99, senders: 30, help: false }],
  [["--kills", "3", "--seed", "7"], { kills: 3, seed: 7 }],
  [["--senders", "5", "-h"], { senders: 5, help: true }],
])("%j is understood", (args, expected) => {
  expect(readOptions(args, () => 99)).toMatchObject(expected);
});

test.each([[["--kills", "many"]], [["--seed", "-1"]], [["--kill", "3"]], [["3"]]])(
  "%j is not",
  (args) => {
    expect(() => readOptions(args, () => 0)).toThrow(OptionsError);
  },
);
