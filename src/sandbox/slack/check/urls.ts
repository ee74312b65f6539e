import { limits } from './limits.ts';
import { type Check, refuse } from './path.ts';
import { checkLength } from './values.ts';

/** For links that people open. No schemes that run or embed code (javascript:, data:), and no file:. */
export const link = url('http:', 'https:', 'mailto:', 'slack:', 'tel:');

function url(...schemes: string[]): Check {
  return (value, path) => {
    if (typeof value !== 'string') return refuse(path, 'must provide a string');
    checkLength(value, 1, limits.url, path);
    if (value.length > limits.url) return;
    if (!isUrl(value)) return refuse(path, 'must be a valid URL');
    if (!schemes.includes(new URL(value).protocol)) {
      refuse(path, `must be a URL that begins with ${schemes.join(' or ')}`);
    }
  };
}

/** `URL.canParse` alone would accept invalid URLs: it drops some whitespace and replaces lone surrogates. */
function isUrl(value: string): boolean {
  return !/[\s\p{Cc}]/u.test(value) && value.isWellFormed() && URL.canParse(value);
}
