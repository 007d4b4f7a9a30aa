// What the plugin is, needs, and can refuse.
import type { PluginManifest } from 'agent-harness/kernel';

export const manifest = {
  name: 'support-file',
  requires: ['chats', 'eventLog', 'kernel', 'product', 'turnRecords', 'views'],
  errors: {
    UNKNOWN_PART: { message: "A support file has no part '{name}'; it has {names}.", status: 400 },
    INVALID_WORD: { message: "'{word}' cannot be struck out: {why}.", status: 400 },
    CHANGED: { message: 'The file is not what was shown any more. Look through it again, then save it.', status: 409 },
    TOO_LARGE: { message: 'The file has {bytes} bytes, which is more than the {most} that a support file may have. Leave parts out.', status: 413 },
    SECRET_LEFT: { message: 'Nothing is handed out: a value of .env, or a struck word, is also a name that the file is made of ({where}).', status: 409 },
    NOT_A_FILE: { message: 'This is no support file: {why}.', status: 400 },
  },
} as const satisfies PluginManifest;
