import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { cardText, outcomesOf, sendWithLostAnswer, setUpHistoryChecks } from './history-checks.ts';

const postgres = startTestPostgres();

test('a transfer is reported as not sent only after the last history check', async () => {
  const setup = await setUpHistoryChecks(postgres);
  const { startWorker, runCheck, notifications } = setup;
  await startWorker();
  const first = await sendWithLostAnswer(setup, 'reset-before');
  expect(cardText(first)).toMatch(
    /^⚠️ Probably not sent: 1 file to carl@example\.org\. The service didn't confirm it, and its history doesn't show this transfer\. \(Reference \w{8}\) I'll keep checking the history until \d{4}-\d\d-\d\d \d\d:\d\d UTC\. If you send it again before then, the recipients could get it twice\.$/,
  );
  expect(cardText(await runCheck(first.id))).toBe(cardText(first));
  expect(notifications.ended).toEqual([first.id]);
  expect(cardText(await runCheck(first.id))).toBe(
    `⚠️ Not sent: 1 file to carl@example.org. The service didn't confirm it, and its history still doesn't show this transfer. You can send it again. (Reference ${first.id.slice(0, 8)})`,
  );
  expect(notifications.ended).toEqual([first.id, first.id]);
  expect(await outcomesOf(setup, first)).toEqual(['not-sent', 'probably-not-sent']);
  await setup.untilDrained();
  expect(notifications.alarms).toEqual([]);
});

test('if a "probably not sent" transfer is found, sender and admin are notified', async () => {
  const setup = await setUpHistoryChecks(postgres);
  const { startWorker, runCheck, showHistory, notifications, account } = setup;
  await startWorker();
  const first = await sendWithLostAnswer(setup, 'reset-after');
  expect(first).toMatchObject({ state: 'failed', progress: { result: { code: 'probably-not-sent' } } });
  showHistory('all');
  const later = await runCheck(first.id);
  expect(later).toMatchObject({ state: 'sent', isSeen: true });
  expect(cardText(later)).toBe(
    "✅ Sent: 1 file to carl@example.org. I told you that this was probably not sent. The history now shows that it was sent. Don't send it again.",
  );
  expect(notifications.ended).toEqual([first.id, first.id]);
  expect(notifications.alarms).toMatchObject([{ kind: 'found', transfer: first.id, emails: ['carl@example.org'] }]);
  expect(await outcomesOf(setup, first)).toEqual(['sent', 'probably-not-sent']);
  await setup.untilDrained();
  expect(account.drops).toHaveLength(1);
});
