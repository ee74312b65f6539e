interface OperationFacts {
  method: 'GET' | 'POST';
  /** Relative to the account's path; that of a download depends on its file. */
  path?: string;
  /** Completes "could not …". */
  does: string;
  /** Reaches other people: sent once, on a separate connection, and never retried. */
  commits?: true;
  /** Takes as long as its file needs; all other calls are limited by `callMs`. */
  transfers?: true;
}

/** The eleven operations of the service's API, in the order of its documentation. */
export const operations = {
  signIn: { method: 'GET', path: '', does: 'open the account page' },
  readContacts: { method: 'GET', path: 'cgi/contacts_read.cgi', does: 'read the contacts' },
  replaceContacts: { method: 'POST', path: 'cgi/contacts_add.cgi', does: 'replace the contacts' },
  setReceivers: { method: 'POST', path: 'cgi/receivers_set.cgi', does: 'set the receivers' },
  listFiles: { method: 'GET', path: 'cgi/get_files.cgi', does: 'list the uploaded files' },
  removeFile: { method: 'GET', path: 'cgi/remove_file.cgi', does: 'remove an uploaded file' },
  upload: { method: 'POST', path: 'cgi/upload.cgi', does: 'upload a file', transfers: true },
  createDispatch: { method: 'POST', path: 'cgi/createdrop.cgi', does: 'create the dispatch', commits: true },
  grantAccess: { method: 'POST', path: 'cgi/givedrop.cgi', does: 'grant upload access', commits: true },
  readHistory: { method: 'GET', path: 'cgi/get_history.cgi', does: 'read the history' },
  download: { method: 'GET', does: 'download a file', transfers: true },
} as const satisfies Record<string, OperationFacts>;

export type Operation = keyof typeof operations;

export function factsOf(operation: Operation): OperationFacts {
  return operations[operation];
}
