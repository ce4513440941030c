import { expect, test } from "vitest";
import { standardForm } from "./addresses.ts";

test.each([
  ["https://api.example.com:443", "https://api.example.com"],
  ["http://127.0.0.1:80", "http://127.0.0.1"],
  ["http://127.0.0.1:443", "http://127.0.0.1:443"],
  ["HTTP://LocalHost:4000", "http://localhost:4000"],
  ["https://api.example.com/Florin", "https://api.example.com/Florin"],
])("libraries write %s as %s", (address, standard) => {
  expect(standardForm(address)).toBe(standard);
});
