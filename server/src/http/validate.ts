import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { invalid } from "./schema.ts";
import { wordsFor } from "./words.ts";

/** Checks what requests send against the schemas of their routes. */
export function validateWithZod(api: FastifyInstance): void {
  api.setValidatorCompiler<z.ZodType>(({ schema }) => {
    const takesNothing = schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0;
    return (input) => {
      // Most routes take no query, and most requests send none.
      if (takesNothing && isEmpty(input)) return { value: input };
      const result = schema.safeParse(input);
      if (result.success) return { value: result.data };
      // Only a request that is wrong pays for messages in our words.
      const { error = result.error } = schema.safeParse(input, { error: wordsFor });
      return { error: invalid(schema, input, error) };
    };
  });
  // Answers are typed where they are made; checking them again on the way out would only cost time.
  api.setSerializerCompiler(() => JSON.stringify);
}

function isEmpty(input: unknown): boolean {
  for (const _ in input as object) return false;
  return true;
}
