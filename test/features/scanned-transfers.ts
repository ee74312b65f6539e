import { changeSettings } from '../../src/features/settings/operations.ts';
import type { FileRules } from '../../src/features/settings/repository.ts';
import { confirmSend, prepareSend, type SendDraft } from '../../src/features/transfers/send/operations.ts';
import type { Transfer } from '../../src/features/transfers/transfer.ts';
import type { ScannerServer } from '../../src/sandbox/scanner.ts';
import { createScanner, type ScanLimits } from '../../src/scan/index.ts';
import { admin, anna, setUpFeatures } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

export interface ScanSetupOptions {
  /** Undefined if there is no scanner. */
  server?: ScannerServer;
  maxBytes?: number;
  isRequired?: boolean;
  limits?: Partial<ScanLimits>;
}

/** Sets up transfers with an optional scanner. `setPolicies` changes the file rules. */
export async function setUpScannedTransfers(
  postgres: TestPostgres,
  { server, maxBytes = 10_000_000, isRequired = false, limits = {} }: ScanSetupOptions = {},
) {
  const setup = await setUpFeatures(postgres);
  const logged: Record<string, unknown>[] = [];
  const verdicts: string[] = [];
  const address = { host: '127.0.0.1', port: server?.port ?? 0 };
  const onVerdict = (state: string) => void verdicts.push(state);
  const services = {
    ...setup.services,
    log: { ...setup.services.log, warn: (fields: object, msg: string) => void logged.push({ ...fields, msg }) },
    scanner: server && createScanner({ address, maxBytes, isRequired, limits, onVerdict }),
  };
  const draft = { recipients: ['carl@example.org'], groups: [], files: ['F1'], message: '', expiresAfter: 7 };
  const prepare = (more: Partial<SendDraft> = {}) => prepareSend(services, anna, { ...draft, ...more });
  return {
    ...setup,
    services,
    logged,
    verdicts,
    setPolicies: (rules: Partial<FileRules>) =>
      changeSettings(services, admin, {
        fileTypes: 'any',
        extensions: [],
        maxFileMb: undefined,
        maxTotalMb: undefined,
        ...rules,
      }),
    prepare,
    /** `beforeJob` runs between the confirmation and the job. */
    async send(files: readonly string[], beforeJob: () => unknown = () => {}): Promise<Transfer> {
      const { reviewId } = await prepare({ files });
      await confirmSend(services, anna, reviewId);
      await beforeJob();
      const runner = await setup.startWorker({ services });
      try {
        return await setup.untilEnded(reviewId);
      } finally {
        await runner.stop(500);
      }
    },
  };
}
