import { command, confirm, type Hand, sees } from './hand.ts';
import type { Edit } from './plan.ts';

const editHeard = /Saving …|Done:|Nothing was changed|Nobody knows yet|Nothing had to be changed/;

const editEnd = /Done:|Nothing was changed|Nobody knows yet|Nothing had to be changed/;

export async function addByCommand({ person, done }: Hand, { contact }: Edit): Promise<void> {
  const { email, number, nick } = contact;
  await person.opens('Dropline');
  done.came = 'handed over';
  await person.types(`/drop contacts add ${email} ${number} ${nick}`);
  await sees(person, `Adding ${email}`);
  done.came = 'accepted';
}

export async function edit(hand: Hand, { kind, contact }: Edit): Promise<void> {
  const { person } = hand;
  const { email, number, nick } = contact;
  await command(person, kind === 'add' ? '/drop contacts' : `/drop contacts ${email}`);
  await sees(person, 'Add a contact');
  if (kind === 'add') {
    await person.clicks('Add a contact');
    await sees(person, 'Add this contact');
    await person.fills('E-mail address', email);
    await person.fills('Mobile number', number);
    await person.fills('Name', nick);
    await confirm(hand, 'Add this contact', false, editHeard);
  } else if (kind === 'edit') {
    await person.clicks('Edit', { near: email });
    await sees(person, 'Save this contact');
    await person.fills('Name', nick);
    await confirm(hand, 'Save this contact', false, editHeard);
  } else {
    await person.clicks('Remove', { near: email });
    await confirm(hand, 'Remove this contact', false, editHeard);
  }
  await sees(person, editEnd);
}
