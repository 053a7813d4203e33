/** The schema of stored messages, made from their parameters. */
import { z } from 'zod';
import { type MessageCode, type Kind, PARAMS } from './params.ts';

const KINDS: Record<Exclude<Kind, 'message'>, () => z.ZodType> = {
  count: () => z.number(),
  text: () => z.string(),
  texts: () => z.array(z.string()),
  field: () => z.string(),
  yes: () => z.boolean(),
};

/** Messages of these codes, none of which has a message within it. */
export function messageSchema(codes: readonly MessageCode[]): z.ZodType {
  return z.union(
    codes.map((code) =>
      z.strictObject({
        code: z.literal(code),
        params: z.strictObject(
          Object.fromEntries(
            Object.entries(PARAMS[code] as Record<string, Exclude<Kind, 'message'>>).map(([name, kind]) => [
              name,
              KINDS[kind](),
            ]),
          ),
        ),
      }),
    ),
  );
}
