import type { ScannerServer } from './scanner.ts';
import { legalUser, login, type Service, sendFromOutside } from './service.ts';
import type { Outside } from './slack/index.ts';
import type { SandboxWorkspace } from './workspace.ts';

export interface Simulation extends Omit<Outside['simulations'][number], 'group'> {
  run(): unknown;
}

/** What the simulations change. */
export interface Simulated {
  service: Service;
  scanner: ScannerServer;
  /** Undefined until the workspace has started. */
  acme(): SandboxWorkspace | undefined;
  passHours(hours: number): Promise<void>;
}

/** Long enough to see the progress of an upload, and to cancel it: it takes ten times as long. */
const slowMs = 2_000;

/** What can be simulated now, by group. A simulation that can be undone is replaced by its opposite. */
export function simulationsOf({ service, scanner, acme, passHours }: Simulated): Record<string, Simulation[]> {
  const { server, account } = service;
  const { behaviour } = scanner;
  const toggle = (isOn: boolean, on: Simulation, off: Simulation) => (isOn ? off : on);
  const workspace = acme();
  return {
    Service: [
      toggle(
        server.isSuspended(),
        { name: 'Service goes down', run: server.suspend },
        { name: 'Service is back', run: server.resume },
      ),
      toggle(
        server.behaviour.delayMs > 0,
        { name: 'Service gets slow', run: () => Object.assign(server.behaviour, { delayMs: slowMs }) },
        { name: 'Service is fast again', run: () => Object.assign(server.behaviour, { delayMs: 0 }) },
      ),
      toggle(
        account.apiKey !== login.apiKey,
        { name: 'API key is refused', run: () => Object.assign(account, { apiKey: 'another-key' }) },
        { name: 'API key works again', run: () => Object.assign(account, { apiKey: login.apiKey }) },
      ),
    ],
    Files: [
      { name: 'Linus sends a file', run: () => sendFromOutside(service) },
      {
        name: 'Vera sends Legal a file',
        run: () => sendFromOutside(service, 'Minutes', [legalUser, 'vera@court.example']),
      },
      toggle(
        behaviour.reportsNext,
        { name: 'Next file is infected', run: () => Object.assign(behaviour, { reportsNext: true }) },
        { name: 'Next file is clean', run: () => Object.assign(behaviour, { reportsNext: false }) },
      ),
      toggle(
        behaviour.mode !== 'works',
        { name: 'Scanner stops', run: () => Object.assign(behaviour, { mode: 'closes' }) },
        { name: 'Scanner works again', run: () => Object.assign(behaviour, { mode: 'works' }) },
      ),
    ],
    Time: [
      { name: 'An hour passes', run: () => passHours(1) },
      { name: 'A day passes', run: () => passHours(24) },
    ],
    People: workspace === undefined ? [] : peopleSimulations(workspace),
  };
}

/** The app subscribes to none of Slack's events about members and roles, so no event is sent. */
function peopleSimulations({ workspace: { state, uninstall } }: SandboxWorkspace): Simulation[] {
  const users = [...state.users.values()];
  const channels = [...state.channels.values()].filter(({ kind }) => kind !== 'im');
  const memberships = channels.flatMap(({ name: channel, members }) =>
    users.map(
      ({ id, name }): Simulation =>
        members.has(id)
          ? { menu: 'Leave', name: `${name} leaves #${channel}`, run: () => members.delete(id) }
          : { menu: 'Join', name: `${name} joins #${channel}`, run: () => members.add(id) },
    ),
  );
  const roles = users.flatMap((user): Simulation[] => {
    const become = (role: 'guest' | 'member') => ({
      menu: 'Role',
      name: `${user.name} becomes a ${role}`,
      run: () => Object.assign(user, { role }),
    });
    if (user.role === 'member') return [become('guest')];
    return user.role === 'guest' ? [become('member')] : [];
  });
  const confirm = `Uninstall Dropline from ${state.name}? Its data of this workspace is deleted. You can install it again.`;
  const removal = { name: 'Uninstall Dropline', confirm, run: () => uninstall() };
  return [...memberships, ...roles, ...(state.installation === undefined ? [] : [removal])];
}
