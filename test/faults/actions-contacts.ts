import { type ActionContext, command, confirm, sees } from './action-context.ts';
import type { Edit } from './plan.ts';

const editAnswer = /Saving …|Done:|Nothing was changed|Nobody knows yet|Nothing had to be changed/;

const editEnd = /Done:|Nothing was changed|Nobody knows yet|Nothing had to be changed/;

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
  await sees(person, 'Add a contact');
  if (kind === 'add') {
    await person.clicks('Add a contact');
    await sees(person, 'Add this contact');
    await person.fills('E-mail address', email);
    await person.fills('Mobile number', number);
    await person.fills('Name', nick);
    await confirm(context, 'Add this contact', false, editAnswer);
  } else if (kind === 'edit') {
    await person.clicks('Edit', { near: email });
    await sees(person, 'Save this contact');
    await person.fills('Name', nick);
    await confirm(context, 'Save this contact', false, editAnswer);
  } else {
    await person.clicks('Remove', { near: email });
    await confirm(context, 'Remove this contact', false, editAnswer);
  }
  await sees(person, editEnd);
}
