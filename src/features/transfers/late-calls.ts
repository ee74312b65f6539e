import { type Exchange, isExchangeError } from '../../exchange/index.ts';

/**
 * The same client, with an eye on the calls that say what goes to whom. One that got no answer may be carried out later,
 * while somebody else's dispatch is being prepared: its files would go to the wrong people.
 */
export function noticingLateCalls(exchange: Exchange): { exchange: Exchange; mayComeLate(): boolean } {
  let mayComeLate = false;
  const notice = async (call: Promise<void>, isWhole: () => boolean = () => true): Promise<void> => {
    try {
      await call;
    } catch (error) {
      if (isUnanswered(error) && isWhole()) mayComeLate = true;
      throw error;
    }
  };
  return {
    mayComeLate: () => mayComeLate,
    exchange: {
      ...exchange,
      setReceivers: (receivers, options) => notice(exchange.setReceivers(receivers, options)),
      upload(source, options = {}) {
        let passed = 0;
        const onProgress = (bytes: number) => {
          passed = bytes;
          options.onProgress?.(bytes);
        };
        // What was cut off before its last byte is no file, however late the service sees it.
        return notice(exchange.upload(source, { ...options, onProgress }), () => passed >= source.size);
      },
    },
  };
}

/** What is not the client's own error is the reason for which the call was cut off. */
function isUnanswered(error: unknown): boolean {
  return !isExchangeError(error) || isExchangeError(error, 'timeout', 'cut-short');
}
