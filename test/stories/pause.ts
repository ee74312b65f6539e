import type { Person } from '../../src/sandbox/slack/index.ts';

export const reason = 'Audit until Friday';

/** An admin pauses sending, file requests or downloads on the settings page. */
export async function pauses(admin: Person, what: string): Promise<void> {
  await admin.reloads();
  await admin.types('/drop settings', { in: '#general' });
  await admin.clicks('Pause or resume');
  await admin.clicks(`Pause ${what}…`);
  await admin.fills('Reason', reason);
  await admin.submits('Pause');
  await admin.sees(`Paused by @${admin.name}`);
}

/** The admin clicks Resume on the pause page, which must be open, as it is after `pauses`. */
export async function resumes(admin: Person, what: string): Promise<void> {
  await admin.clicks(`Resume ${what}…`);
  await admin.confirms('Resume');
  await admin.sees(': resumed.');
}
