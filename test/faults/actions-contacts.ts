import { type ActionContext, command, confirm, sees } from './action-context.ts';
import type { Edit } from './plan.ts';

const editAnswer =
  /Saving…|[Cc]ontacts? (?:added|changed|removed)|Nothing was changed|It's not clear yet|Nothing to change/;

const editEnd = /[Cc]ontacts? (?:added|changed|removed)|Nothing was changed|It's not clear yet|Nothing to change/;

export async function addByCommand({ person, result }: ActionContext, { contact }: Edit): Promise<void> {
  const { email, number, nick } = contact;
  await person.opens('Dropline');
  result.progress = 'submitted';
  await person.types(`/drop contacts add ${email} ${number} ${nick}`);
  await sees(person, `Adding ${email}`);
  result.progress = 'accepted';
}

export async function edit(context: ActionContext, { kind, contact }: Edit): Promise<void> {
  const { person } = context;
  const { email, number, nick } = contact;
  await command(person, kind === 'add' ? '/drop contacts' : `/drop contacts ${email}`);
  await sees(person, kind === 'add' ? 'Add contact' : 'Back to contacts');
  if (kind === 'add') {
    await person.clicks('Add contact');
    await sees(person, 'Add');
    await person.fills('Email', email);
    await person.fills('Mobile number', number);
    await person.fills('Name', nick);
    await confirm(context, 'Add', false, editAnswer);
  } else if (kind === 'edit') {
    await person.clicks('Edit', { near: email });
    await sees(person, 'Save');
    await person.fills('Name', nick);
    await confirm(context, 'Save', false, editAnswer);
  } else {
    await person.clicks('Remove', { near: email });
    await confirm(context, 'Remove', false, editAnswer);
  }
  await sees(person, editEnd);
}
