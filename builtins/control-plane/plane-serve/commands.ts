// Implements the CLI commands of the control plane's server: open, key, doctor.
import { once } from 'node:events';
import type { Services } from 'agent-harness/kernel';
import { planeLines } from '#lib/plane-key';
import type { CliCommand } from 'agent-harness/plugins/commands';
import type { Checks } from './checks.ts';

export interface CommandParts {
  readonly services: Pick<Services, 'database' | 'planeKeys' | 'http' | 'product' | 'kernel'>;
  readonly port: () => number;
  /** Returns the public address. @param serving address of the running server */
  readonly siteAt: (serving: string | undefined) => string;
  /** Throws if the settings are not suitable for a server. */
  readonly check: () => void;
  readonly checks: Checks;
  /** Returns the lines to print once the server is ready. */
  readonly notes: () => Promise<readonly string[]>;
}

export function createCommands({ services, port, siteAt, check, checks, notes }: CommandParts): readonly CliCommand[] {
  return [
    {
      name: 'open',
      summary: 'Starts the server and serves until it is stopped. This is the default command.',
      options: { port: { type: 'string', description: 'Port to use instead of HUB_PORT.' }, host: { type: 'string', description: 'Address to listen on.' } },
      async run({ options, signal }, output) {
        check();
        await services.database.ready({ isServing: true });
        // A node with a different secret cannot work, so it does not start.
        await services.planeKeys.publicKey();
        const { url } = await services.http.listen({
          port: typeof options['port'] === 'string' ? Number(options['port']) : port(),
          ...(typeof options['host'] === 'string' ? { host: options['host'] } : {}),
        });
        try {
          output.out(`${services.product.title} is ready at ${url}\n`);
          for (const note of await notes()) output.out(`${note}\n`);
          for (const { warning } of services.kernel.fields()) if (warning !== undefined) output.err(`${warning}\n`);
          if (!signal.aborted) await once(signal, 'abort');
        } finally {
          await services.http.close();
        }
        return 0;
      },
    },
    {
      name: 'key',
      summary: 'Prints the public key with which services verify licenses.',
      options: {
        env: {
          type: 'boolean',
          description: 'Prints lines for the file .env of a service, with the address of this control plane and the fingerprint of the key.',
        },
      },
      async run({ options }, output) {
        const pem = await services.planeKeys.publicKey();
        output.out(options['env'] === true ? `${planeLines(siteAt((await services.http.running())?.url), pem).join('\n')}\n` : pem);
        return 0;
      },
    },
    {
      name: 'doctor',
      summary: 'Checks the requirements of the control plane, and prints an instruction for each failed check.',
      async run(_, output) {
        check();
        const running = await services.http.running();
        output.out(running ? `A server of this home folder is running at ${running.url}\n` : 'No server of this home folder is running.\n');
        // Waits until an empty database has been set up, which takes longer than a check; the checks report its errors.
        await services.database.ready().catch(() => undefined);
        const found = await checks.run('all');
        const faulty = services.kernel.fields().filter(({ warning }) => warning !== undefined);
        for (const { warning = '' } of faulty) output.out(`setting  ${warning}\n`);
        const width = Math.max(...found.map(({ name }) => name.length));
        for (const { name, state, message } of found) output.out(`${state.padEnd(7)}  ${name.padEnd(width)}  ${message}\n`);
        return found.some(({ state }) => state === 'failed') || faulty.some(({ isUnusable }) => isUnusable) ? 1 : 0;
      },
    },
  ];
}
