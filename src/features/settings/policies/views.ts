import type { ModalView } from '@slack/types';
import { actions, button, header, list, section } from '../../../slack/blocks.ts';
import { modal } from '../../../slack/views.ts';
import { approvalLines } from '../approval/views.ts';
import type { FileRules, Settings } from '../repository.ts';
import { fileLines, scanLine } from '../views.ts';
import type { ScannerInfo } from './repository.ts';

/** Explains what is enforced when people send and download, with a button for each form. */
export function policiesView(
  settings: Pick<Settings, 'approval' | keyof FileRules>,
  scanner: ScannerInfo,
  notice?: string,
): ModalView {
  const blocks = [
    ...(notice === undefined ? [] : [section(`✅ ${notice}`)]),
    section('Policies apply to everyone, including admins. They are checked again right before a transfer is sent.'),
    header('Approval'),
    section(
      "A transfer that matches a rule waits until another person approves it. Senders can't approve their own transfers. If a file or recipient changes after that, nothing is sent.",
    ),
    list(approvalLines(settings.approval)),
    actions(button('Change approval rules', 'settings.approval')),
    header('File rules'),
    section(
      "Files that aren't allowed can't be sent. Their first bytes are checked too, so most renamed files are found. Types of text, such as scripts, can't be told apart. Received files aren't affected.",
    ),
    list(fileLines(settings)),
    header('Malware scanning'),
    section(scanText(scanner)),
    list([scanner.isRequired ? ["Files that can't be scanned: blocked by the operator"] : scanLine(settings)]),
    actions(button('Change file rules and scanning', 'settings.open', { value: 'policies' })),
  ];
  return modal('Policies', blocks, { close: 'Back' });
}

function scanText({ hasScanner, isRequired }: ScannerInfo): string {
  if (!hasScanner && !isRequired) return "Dropline's operator hasn't set up a malware scanner. Files aren't scanned.";
  return "All files are scanned when they're sent or downloaded. Infected files can't be sent, and only admins can download them. /drop status shows the scanner.";
}
