import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { bounds } from '../../../lib/bounds.ts';
import type { Filled } from '../../../slack/form.ts';
import { type Interaction, pushWhenReady } from '../../../slack/interaction.ts';
import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import { doneView } from '../../../slack/views.ts';
import { sizeOf } from '../../../slack/words.ts';
import { defineCollection } from '../../../store/index.ts';
import { queueExport } from '../../common/delivery/export.ts';
import type { ListenerServices } from '../../common/slack-services.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { save, savingForm } from '../edit/save.ts';
import { invalidField } from '../list/errors.ts';
import { newContact } from '../list/fields.ts';
import { readPosition } from '../list/position.ts';
import { importUsed } from './errors.ts';
import { contactsExport } from './export.ts';
import { previewImport } from './operations.ts';
import { importView, previewView } from './views.ts';

/** The contacts of a previewed import, stored until the person confirms it. */
const previewSchema = z.object({ person: z.string(), contacts: z.array(newContact) });
const previewTtlMs = 3_600_000;

const previews = defineCollection('contact-import', previewSchema);

/** Imports contacts from CSV, after a preview, and exports them. */
export function importRoutes(services: ListenerServices): Required<Pick<Routes, 'actions' | 'forms'>> {
  return {
    actions: {
      'contacts.import': (interaction) =>
        pushWhenReady(interaction, 'Import contacts', async () => {
          await expectAllowed(services, interaction.actor, 'contacts');
          return importView(readPosition(interaction.view?.private_metadata));
        }),
      'contacts.export': (interaction) =>
        pushWhenReady(interaction, 'Export contacts', async () => {
          await expectAllowed(services, interaction.actor, 'contacts');
          await queueExport(services, interaction.actor, contactsExport);
          return doneView('Export contacts', "I'll send you the CSV in a direct message.");
        }),
    },
    forms: {
      'contacts.import': {
        submit: (interaction, filled, metadata) => submitTable(services, interaction, filled, metadata),
      },
      'contacts.import-now': savingForm(services, async (interaction, _, metadata) => {
        const { workspace, person } = interaction.actor;
        await expectAllowed(services, interaction.actor, 'contacts');
        const position = readPosition(metadata);
        const id = position.import ?? '';
        // Only the person who previewed the import can consume it.
        const preview = await services.store.collection(previews).get(workspace, id);
        if (preview?.person !== person) throw importUsed();
        const change = { kind: 'import', contacts: preview.contacts } as const;
        const inSameTransaction = async (client: pg.ClientBase) => {
          if ((await services.store.collection(previews).take(workspace, id, client)) === undefined) throw importUsed();
        };
        return save(services, interaction, change, { position, inSameTransaction });
      }),
    },
  };
}

async function submitTable(
  services: ListenerServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
): Promise<FormAnswer> {
  await expectAllowed(services, interaction.actor, 'contacts');
  const { workspace, person } = interaction.actor;
  const [file] = filled.files('file');
  if (file === undefined) throw invalidField('file', 'Choose a file.');
  const preview = await previewImport(services, interaction.actor, await readText(services, workspace, file.id));
  const id = randomUUID();
  const stored = { person, contacts: preview.contacts };
  await services.store.collection(previews).set(workspace, stored, { name: id, ttlMs: previewTtlMs });
  return { view: previewView(file.name, preview, { ...readPosition(metadata), import: id }) };
}

async function readText({ sources }: ListenerServices, workspace: string, id: string): Promise<string> {
  const file = await sources.inspect(workspace, id);
  if (file === undefined) throw invalidField('file', 'This file is no longer in Slack. Choose it again.');
  if (file.size > bounds.csvBytes) {
    throw invalidField(
      'file',
      `This file is too large (${sizeOf(file.size)}; limit ${sizeOf(bounds.csvBytes)}). Split it.`,
    );
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of await sources.open(workspace, id, AbortSignal.timeout(bounds.csvMs))) {
    bytes += chunk.length;
    if (bytes > file.size) throw invalidField('file', 'This file has changed. Choose it again.');
    chunks.push(chunk);
  }
  if (bytes < file.size) throw invalidField('file', "This file couldn't be read completely. Try again.");
  return decode(Buffer.concat(chunks));
}

/**
 * Decodes UTF-8, and little-endian UTF-16 with a byte order mark. Anything else is read as Windows-1252, which
 * spreadsheets on Windows write.
 */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
