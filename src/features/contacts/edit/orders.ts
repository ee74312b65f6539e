import { z } from 'zod';
import { defineCollection } from '../../../store/index.ts';
import type { Actor, Services } from '../../common/services.ts';
import type { Change } from './diff.ts';
import { contactFields, newContact } from './fields.ts';

/** A requested edit, stored until it has ended. Job payloads hold only ids. */
const order = z.object({
  person: z.string(),
  change: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('add'), contacts: z.array(newContact) }),
    z.object({ kind: z.literal('edit'), email: z.string(), fields: contactFields }),
    z.object({ kind: z.literal('remove'), emails: z.array(z.string()) }),
    z.object({ kind: z.literal('import'), contacts: z.array(newContact) }),
    z.object({ kind: z.literal('group'), group: z.string(), join: z.array(z.string()), leave: z.array(z.string()) }),
  ]),
});

const orderTtlMs = 7 * 86_400_000;

export const editOrders = defineCollection('contact-edit', order);

export async function storeEditOrder(services: Services, { workspace, person }: Actor, id: string, change: Change) {
  // JSON drops fields that are undefined.
  const stored = order.parse({ person, change: JSON.parse(JSON.stringify(change)) });
  await services.store.collection(editOrders).set(workspace, stored, { name: id, ttlMs: orderTtlMs });
}
