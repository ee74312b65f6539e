import { test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';
import { expectPlainText, refuseOperation } from './service-messages.ts';

const postgres = startTestPostgres();

test("the service's error for a transfer is shown as plain text", async () => {
  const app = await setUpApp(postgres);
  const { bo, slack } = app;
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo);
  refuseOperation(app, 'receivers_set');
  await confirms(bo, 1);
  await bo.sees(/(?:Not sent[\s\S]*<https:\/\/evil\.example\|Sign in> <!channel> \*now\*[\s\S]*){2}/);
  expectPlainText(slack, 1);
});
