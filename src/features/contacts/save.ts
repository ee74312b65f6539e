import { randomUUID } from 'node:crypto';
import { cutTo } from '../../slack/limits.ts';
import type { FormAnswer, FormRoute } from '../../slack/routes.ts';
import type { Visit } from '../../slack/visit.ts';
import { andList, count, oneLine } from '../../slack/words.ts';
import type { UiServices } from '../ui-services.ts';
import type { Change } from './diff.ts';
import type { TypedContact } from './form.ts';
import { changeContacts } from './operations.ts';
import { type Place, writePlace } from './place.ts';
import { showIfEnded, waitFor } from './tell.ts';
import { savingView } from './views-outcome.ts';

export interface Saving {
  place: Place;
  /** What the form held, to go on from if it fails. */
  typed?: TypedContact;
}

/** A form that saves. */
export function savingForm({ slack, store }: UiServices, submit: FormRoute['submit']): FormRoute {
  return {
    submit,
    async after({ actor: { workspace, person }, inPlace }, edit) {
      await inPlace();
      await showIfEnded(slack, store, { workspace, person, id: edit });
    },
  };
}

/** Has what a form asks for done by a job, and shows how it ends in the form's place. */
export async function save(services: UiServices, visit: Visit, change: Change, saving: Saving): Promise<FormAnswer> {
  const place = writePlace(backAt(saving.place));
  return { view: savingView(place), after: await begin(services, visit, change, saving, place) };
}

/** The same for a button in a modal. */
export async function saveByClick(services: UiServices, visit: Visit, change: Change, saving: Saving): Promise<void> {
  const place = writePlace(backAt(saving.place));
  await visit.open(savingView(place));
  await begin(services, visit, change, saving, place);
}

/** The same where nothing is open: how it ends is told in a message. */
export async function saveByCommand(services: UiServices, visit: Visit, change: Change, saving: Saving): Promise<void> {
  await begin(services, visit, change, saving, writePlace(saving.place));
}

async function begin(services: UiServices, visit: Visit, change: Change, { typed }: Saving, place: string) {
  const { store } = services;
  const edit = randomUUID();
  const { id: view } = visit.view ?? {};
  await waitFor(store, visit.actor.workspace, edit, {
    place,
    about: aboutOf(change),
    ...(view === undefined ? {} : { view }),
    ...(typed === undefined ? {} : { typed }),
  });
  return changeContacts(services, visit.actor, change, edit);
}

/** Where the person is once the form is closed: in the list, or in the groups above it. */
function backAt({ fromList, query, page, groups }: Place): Place {
  return { fromList, query, page, ...(groups === undefined ? {} : { groups }) };
}

/** What a change is about, in a few words. */
function aboutOf(change: Change): string {
  const name = (text: string) => cutTo(oneLine(text), 100);
  switch (change.kind) {
    case 'add':
      return `Adding ${andList(change.contacts.map(({ email }) => name(email)))}`;
    case 'edit':
      return `Changing ${name(change.email)}`;
    case 'remove':
      return `Removing ${andList(change.emails.map(name))}`;
    case 'import':
      return `Importing ${count(change.contacts.length, 'contact')}`;
    case 'group':
      return `Group ${name(change.group)}`;
  }
}
