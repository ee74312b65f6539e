import { z } from 'zod';
import { defineCollection, type Store } from '../../../store/index.ts';
import { changeFormat, originFormat, reportFormat, restoredFormat } from './fields.ts';

/** Edits as older versions stored them: in four collections, whose values expire. Nothing is written there now. */
const requestedEdits = defineCollection('contact-edit', z.object({ person: z.string(), change: changeFormat() }));
const origins = defineCollection('edit-waiting', originFormat());
const reports = defineCollection('edit-ended', reportFormat());
/** Names of restored contacts, by the id of a row in `contact_images`. Older versions added a row for each attempt. */
const restoredNames = defineCollection('contacts-mended', restoredFormat());

export function oldEditsIn({ collection }: Pick<Store, 'collection'>) {
  return {
    readRequest: (workspace: string, edit: string) => collection(requestedEdits).get(workspace, edit),
    finish: (workspace: string, edit: string) => collection(requestedEdits).delete(workspace, edit),
    readOrigin: (workspace: string, edit: string) => collection(origins).get(workspace, edit),
    readReport: (workspace: string, edit: string) => collection(reports).get(workspace, edit),
    readRestored: async (workspace: string, image: string) =>
      (await collection(restoredNames).get(workspace, image)) ?? [],
  };
}
