import { z } from "zod";

export const CardPath = z.strictObject({ cardId: z.string() });
