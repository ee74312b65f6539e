import type { Answer } from '../http/answer.ts';
import type { Operation } from '../state/model.ts';
import { addContacts, readContacts, setReceivers } from './operations/contacts.ts';
import { createDrop } from './operations/create-drop.ts';
import { download } from './operations/download.ts';
import { giveDrop } from './operations/give-drop.ts';
import { getHistory } from './operations/history.ts';
import { showIndex } from './operations/index-page.ts';
import { upload } from './operations/upload.ts';
import { getFiles, removeFile } from './operations/uploaded-files.ts';
import type { ApiRequest } from './request.ts';

interface Route {
  method: 'GET' | 'POST';
  /** Path segments; `*` matches any one. */
  path: string[];
  handler: (request: ApiRequest) => Answer | Promise<Answer>;
}

export const routes: Readonly<Record<Operation, Route>> = {
  index: { method: 'GET', path: [''], handler: showIndex },
  contacts_read: { method: 'GET', path: ['cgi', 'contacts_read.cgi'], handler: readContacts },
  contacts_add: { method: 'POST', path: ['cgi', 'contacts_add.cgi'], handler: addContacts },
  receivers_set: { method: 'POST', path: ['cgi', 'receivers_set.cgi'], handler: setReceivers },
  get_files: { method: 'GET', path: ['cgi', 'get_files.cgi'], handler: getFiles },
  remove_file: { method: 'GET', path: ['cgi', 'remove_file.cgi'], handler: removeFile },
  upload: { method: 'POST', path: ['cgi', 'upload.cgi'], handler: upload },
  createdrop: { method: 'POST', path: ['cgi', 'createdrop.cgi'], handler: createDrop },
  givedrop: { method: 'POST', path: ['cgi', 'givedrop.cgi'], handler: giveDrop },
  get_history: { method: 'GET', path: ['cgi', 'get_history.cgi'], handler: getHistory },
  download: { method: 'GET', path: ['*', 'files', '*'], handler: download },
};

export function findOperation(path: string[]): Operation | undefined {
  for (const [operation, route] of Object.entries(routes) as [Operation, Route][]) {
    const matches = (segment: string, index: number) => segment === '*' || segment === path[index];
    if (route.path.length === path.length && route.path.every(matches)) return operation;
  }
  return undefined;
}
