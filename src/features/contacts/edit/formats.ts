import { z } from 'zod';
import { contactFields, newContact, typedContact } from './fields.ts';

/** Schemas of what is stored about an edit. Functions, because a schema can be registered under one name only. */

/** A `Change`. */
export const changeFormat = () =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('add'), contacts: z.array(newContact) }),
    z.object({ kind: z.literal('edit'), email: z.string(), fields: contactFields }),
    z.object({ kind: z.literal('remove'), emails: z.array(z.string()) }),
    z.object({ kind: z.literal('import'), contacts: z.array(newContact) }),
    z.object({ kind: z.literal('group'), group: z.string(), join: z.array(z.string()), leave: z.array(z.string()) }),
  ]);

/** Where a person waits for the outcome of an edit, and what they typed. */
export const waiterFormat = () =>
  z.object({
    /** The modal that will show the outcome. */
    view: z.string().optional(),
    /** The person's position in the contacts. */
    place: z.string(),
    /** What the edit changes, for the direct message: it is read without the form. */
    about: z.string(),
    /** The contents of the form, to reopen it if the edit fails. */
    typed: typedContact.optional(),
  });
export type Waiter = z.infer<ReturnType<typeof waiterFormat>>;

/** The outcome that is shown to the person. Stored values call restored contacts `mended`. */
export const reportFormat = () =>
  z.discriminatedUnion('state', [
    z.object({
      state: z.literal('done'),
      added: z.number(),
      updated: z.number(),
      removed: z.number(),
      mended: z.array(z.string()),
    }),
    z.object({ state: z.literal('failed'), code: z.string(), sentence: z.string(), names: z.array(z.string()) }),
  ]);
export type Report = z.infer<ReturnType<typeof reportFormat>>;

/** Names of contacts that an edit lost and Dropline put back. */
export const restoredFormat = () => z.array(z.string());
