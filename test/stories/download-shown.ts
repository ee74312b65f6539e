import { until } from '../helpers/features.ts';
import type { InboxApp } from '../helpers/inbox-app.ts';

/** Waits longer for Slack to show a file than any test delays it, even on a busy machine. */
export const longWait = { timing: { shareCheckPausesMs: Array.from({ length: 1_000 }, () => 100) } };

/** Stops waiting for Slack to show a file after less than half a second. */
export const shortWait = { timing: { shareCheckPausesMs: [20, 50, 100, 200] } };

export const callsOf = ({ slack }: InboxApp, method: string) => slack.calls.filter((call) => call.method === method);

/** Waits until Slack has accepted `count` files. */
export const untilAccepted = (app: InboxApp, count: number) =>
  until(() => callsOf(app, 'files.completeUploadExternal').length === count || undefined, `${count} uploads`);

/** The audit entries of downloads. */
export const downloadsIn = async ({ audited }: InboxApp) =>
  (await audited()).filter(({ action }) => action === 'download');
