interface OperationSpec {
  method: 'GET' | 'POST';
  /** Relative to the account's path. Undefined for downloads, whose path depends on the file. */
  path?: string;
  /** Completes messages such as "Couldn't …". */
  action: string;
  /** The call reaches other people: it is sent once, on a separate connection, and never retried. */
  commits?: true;
  /** The call takes as long as its file needs; all other calls are limited by `callMs`. */
  transfers?: true;
}

/** The eleven operations of the service's API, in the order of its documentation. */
export const operations = {
  signIn: { method: 'GET', path: '', action: 'open the account page' },
  readContacts: { method: 'GET', path: 'cgi/contacts_read.cgi', action: 'read the contacts' },
  replaceContacts: { method: 'POST', path: 'cgi/contacts_add.cgi', action: 'replace the contacts' },
  setReceivers: { method: 'POST', path: 'cgi/receivers_set.cgi', action: 'set the recipients' },
  listFiles: { method: 'GET', path: 'cgi/get_files.cgi', action: 'list the uploaded files' },
  removeFile: { method: 'GET', path: 'cgi/remove_file.cgi', action: 'remove an uploaded file' },
  upload: { method: 'POST', path: 'cgi/upload.cgi', action: 'upload a file', transfers: true },
  createDispatch: { method: 'POST', path: 'cgi/createdrop.cgi', action: 'create the dispatch', commits: true },
  grantAccess: { method: 'POST', path: 'cgi/givedrop.cgi', action: 'grant upload access', commits: true },
  readHistory: { method: 'GET', path: 'cgi/get_history.cgi', action: 'read the history' },
  download: { method: 'GET', action: 'download a file', transfers: true },
} as const satisfies Record<string, OperationSpec>;

export type Operation = keyof typeof operations;

export function specOf(operation: Operation): OperationSpec {
  return operations[operation];
}
