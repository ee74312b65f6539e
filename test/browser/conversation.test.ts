import type { App } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { expect, test } from 'vitest';
import { accessibilityViolations, hasBrowser, noBrowserReason } from '../helpers/browser.ts';
import { describeIf } from '../helpers/skips.ts';
import { plain, section } from '../sandbox/slack/helper.ts';
import { focusedLabel, sendMessage, usePages } from './pages.ts';

const start = usePages();

const confirm = {
  title: plain('Really?'),
  text: plain('It is gone then.'),
  confirm: plain('Do it'),
  deny: plain('Keep it'),
};

/** A message with several interactive elements and kinds of text. */
const blocks = [
  { type: 'header', text: plain('A card') },
  section('*Bold* and <https://example.org|a link> for <@U0>, &lt;b&gt;'),
  {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_list',
        style: 'bullet',
        elements: [
          { type: 'rich_text_section', elements: [{ type: 'text', text: '<img src=x>', style: { bold: true } }] },
        ],
      },
    ],
  },
  { type: 'divider' },
  {
    type: 'actions',
    elements: [
      { type: 'button', action_id: 'take', text: plain('Take'), accessibility_label: 'Take the apple' },
      { type: 'button', action_id: 'drop', text: plain('Drop'), style: 'danger', confirm },
      {
        type: 'overflow',
        action_id: 'more',
        options: ['One', 'Two'].map((text) => ({ text: plain(text), value: text })),
      },
    ],
  },
  { type: 'context', elements: [plain('in small print')] },
] as KnownBlock[];

function listen(received: string[]): (app: App) => void {
  return (app) => {
    app.command('/drop', async ({ ack, respond, command, client }) => {
      await ack();
      if (command.text === 'card')
        await client.chat.postMessage({ channel: command.channel_id, text: 'A card', blocks });
      else await respond({ text: 'Just for you' });
    });
    app.action(/.*/, async ({ ack, action, respond }) => {
      const chosen = 'selected_option' in action ? action.selected_option?.value : undefined;
      received.push(`${'action_id' in action ? action.action_id : ''} ${chosen ?? ''}`.trim());
      await ack();
      await respond({ text: 'Taken', replace_original: true });
    });
    app.shortcut(/.*/, async ({ ack, shortcut }) => {
      received.push(
        `${shortcut.callback_id} ${shortcut.type === 'message_action' ? shortcut.message.text : ''}`.trim(),
      );
      await ack();
    });
    app.event('app_home_opened', async ({ client, event }) => {
      await client.views.publish({ user_id: event.user, view: { type: 'home', blocks: [section('Welcome home')] } });
    });
  };
}

describeIf(hasBrowser, noBrowserReason, 'the page', () => {
  test('a message renders its formatting and escapes HTML', async () => {
    const { page } = await start(listen([]));
    await sendMessage(page, '/drop card');
    const card = page.getByRole('article');
    await card.getByRole('heading', { name: 'A card' }).waitFor();
    expect(await card.locator('strong').allInnerTexts()).toEqual(['Bold', '<img src=x>']);
    expect(await card.getByRole('link', { name: 'a link' }).getAttribute('href')).toBe('https://example.org');
    expect(await card.innerText()).toContain('<b>');
    expect(await card.locator('img').count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('buttons, confirmations and menus send actions to the bot and show its answer', async () => {
    const received: string[] = [];
    const { page } = await start(listen(received));
    await sendMessage(page, '/drop card');
    await page.getByRole('button', { name: 'Drop', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'Really?' });
    await question.waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(received).toEqual([]);
    await page.getByRole('button', { name: 'Drop', exact: true }).click();
    await question.getByRole('button', { name: 'Do it' }).click();
    await page.getByText('Taken').waitFor();
    await sendMessage(page, '/drop card');
    await page.getByRole('button', { name: 'More', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => received).toEqual(['drop', 'more Two']);
    await sendMessage(page, '/drop card');
    await page.getByRole('button', { name: 'Take the apple' }).click();
    await expect.poll(() => received.at(-1)).toBe('take');
  });

  test('an ephemeral message has a label and is shown only to its recipient', async () => {
    const { page, setup, openTab } = await start(listen([]));
    const other = await openTab({ as: setup.bo.id });
    await sendMessage(page, '/drop quietly');
    await page.getByText('Only visible to you').waitFor();
    await sendMessage(page, 'Hello Bo');
    await other.getByText('Hello Bo').waitFor();
    expect(await other.getByText('Just for you').count()).toBe(0);
  });

  test('a channel with new messages is marked, and the page can switch to another person', async () => {
    const { page, setup, openTab } = await start(listen([]));
    setup.acme.addChannel({ name: 'random', members: [setup.anna, setup.bo] });
    const other = await openTab({ as: setup.bo.id });
    await page.getByRole('button', { name: 'random' }).click();
    await page.getByRole('heading', { name: '#random' }).waitFor();
    await sendMessage(other, 'Anybody here?');
    await page.getByRole('button', { name: 'general new messages' }).click();
    await page.getByText('Anybody here?').waitFor();
    await page.getByRole('button', { name: 'Bo member' }).click();
    await expect.poll(() => page.title()).toContain('Bo');
    await sendMessage(page, 'Bo again');
    await other.getByText('Bo again').waitFor();
    await page.getByRole('button', { name: 'Anna owner' }).click();
    await expect.poll(() => page.title()).toContain('Anna');
  });

  test('people attach files by button or drag and drop, and a download is unchanged', async () => {
    const { page, setup } = await start(listen([]));
    const buffer = Buffer.from([0, 255, 10, 13]);
    await page
      .getByLabel('Attach files')
      .setInputFiles([{ name: 'first.bin', mimeType: 'application/octet-stream', buffer }]);
    const data = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['dropped'], 'second.txt'));
      return transfer;
    })()`);
    await page.getByRole('main').dispatchEvent('drop', { dataTransfer: data });
    await page.getByRole('button', { name: 'Remove second.txt' }).waitFor();
    await page.getByRole('textbox', { name: 'Message #general' }).fill('both of them');
    await page.getByRole('button', { name: 'Send now' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'first.bin' }).click();
    const stream = await (await download).createReadStream();
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece as Buffer);
    expect(Buffer.concat(pieces).equals(buffer)).toBe(true);
    expect(setup.anna.messages.at(-1)).toMatchObject({ text: expect.stringContaining('second.txt') });
  });

  test('a thread opens at the side, accepts replies and shows their count', async () => {
    const { page } = await start(listen([]));
    await sendMessage(page, 'What do you think?');
    await page.getByRole('article').hover();
    await page.getByRole('button', { name: 'Reply to Anna in a thread' }).click();
    await page.getByRole('textbox', { name: 'Reply…' }).fill('A lot');
    await page.keyboard.press('Enter');
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByText('A lot').waitFor();
    await page.getByRole('button', { name: '1 reply' }).waitFor();
    await thread.getByRole('button', { name: 'Close thread' }).click();
    await thread.waitFor({ state: 'detached' });
  });

  test('people use shortcuts of a message and of the message box, and open the Home tab', async () => {
    const received: string[] = [];
    const { page } = await start(listen(received));
    await sendMessage(page, 'look at this');
    await page.getByRole('article').hover();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Send securely' }).click();
    await expect.poll(() => received).toEqual(['send_message look at this']);
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await expect.poll(() => page.getByRole('menuitem', { name: 'New transfer' }).count()).toBe(1);
    await page.keyboard.press('Escape');
    expect(await focusedLabel(page)).toBe('Shortcuts');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(() => received.at(-1)).toBe('new_transfer');
    await page.getByRole('button', { name: 'Dropline' }).click();
    await page.getByRole('button', { name: 'Home' }).click();
    await page.getByText('Welcome home').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('the page shows an error and keeps the typed text', async () => {
    const { page } = await start(listen([]));
    await sendMessage(page, '/invite @zoe');
    await page.getByText('No one here is called zoe.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Message #general' }).inputValue()).toBe('/invite @zoe');
    await sendMessage(page, '/nonsense');
    await page.getByText('/nonsense is not a valid command.').waitFor();
  });

  test("a narrow page hides the channels in a menu and doesn't scroll sideways", async () => {
    const { openTab } = await start(listen([]));
    const page = await openTab({ width: 400 });
    await sendMessage(page, '/drop card');
    await page.getByRole('heading', { name: 'A card' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
    await page.getByRole('button', { name: 'Channels and people' }).click();
    await page.getByRole('button', { name: 'Dropline', exact: true }).click();
    await page.getByRole('heading', { name: 'Dropline' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'general' }).isVisible()).toBe(false);
  });
});
