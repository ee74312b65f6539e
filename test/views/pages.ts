import { changeHtml, formHtml, signInHtml } from '../../src/features/account/connect/page.ts';
import type { Page } from '../../src/features/account/connect/repository.ts';
import { frontPage, installedPage, privacyPage, refusalPage } from '../../src/features/account/install/page.ts';
import { errorBody, html } from '../../src/features/common/page.ts';
import { expiredTitle } from '../../src/features/common/sign-in/page.ts';
import {
  downloadPage,
  signInHtml as downloadSignInHtml,
  failurePage,
  usedText,
} from '../../src/features/inbox/download/page.ts';
import { fileInfected } from '../../src/features/inbox/items/errors.ts';
import { scansBusy } from '../../src/features/scanning/errors.ts';
import { hostileTexts } from './hostile-texts.ts';

const keyPage: Page = {
  workspace: 'T0123',
  person: 'U0123456789',
  triesLeft: 3,
  code: '012345',
  expiresAt: 0,
  asking: { person: 'Anna Berg', workspace: 'Acme', host: 'acme.slack.com' },
  draft: { baseUrl: 'https://files.example.com', username: 'api@example.com' },
};

/** The complete HTML of Dropline's web pages, by description. */
export const webPages: Record<string, string> = {
  'the front page': html(frontPage({ canInstall: true, isReady: true, support: 'help@example.com' })),
  'the front page for one workspace, while the database is down': html(
    frontPage({
      canInstall: false,
      isReady: false,
      support: undefined,
    }),
  ),
  'what Dropline stores': html(privacyPage('help@example.com')),
  'after an installation': html(installedPage({ team: 'T0123', teamName: 'Acme', app: 'A0123' })),
  'after an installation without all scopes': html(
    installedPage({
      team: 'T0123',
      teamName: 'Acme',
      app: 'A0123',
      scopes: ['commands'],
    }),
  ),
  'a cancelled installation': html(refusalPage('The installation was cancelled. Start the installation again.')),
  'the sign-in of the key page': html(signInHtml(keyPage, 'https://slack.com/openid/connect/authorize')),
  'the key page': html(formHtml(keyPage, { hasSignedIn: true })),
  'the key page without sign-in, after a wrong key': html(
    formHtml(keyPage, { hasSignedIn: false, problem: 'Wrong account or API key.' }),
  ),
  'the key page, after a wrong URL': html(changeHtml(keyPage, 'No account found at this URL.')),
  'the sign-in of the download page': html(
    downloadSignInHtml({ person: 'U0123456789' }, 'https://slack.com/openid/connect/authorize'),
  ),
  'the download page': html(downloadPage({ name: 'Annual report 2026.pdf' }, true)),
  'the download page of a long name': html(downloadPage({ name: hostileTexts.longest ?? '' }, false)),
  'the download page of an infected file': html(downloadPage({ name: 'invoice.pdf', isInfected: true }, true)),
  'the download page of a blocked file': html(failurePage(fileInfected('invoice.pdf', 'Win.Test')).body),
  'the download page while other files are scanned': html(failurePage(scansBusy()).body),
  'the download page after its last try': html(failurePage(scansBusy(), true).body),
  'the download page, used': html(errorBody(usedText, expiredTitle)),
};
