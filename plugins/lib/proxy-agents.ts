// Creates agents for an HTTP proxy: http requests use absolute URLs, https requests a tunnel (CONNECT).
import type { ClientRequest, Agent as HttpAgent } from 'node:http';
import type { AgentOptions } from 'node:https';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { codeOf, messageOf } from './errors.ts';
import type { UsedProxy } from './proxies.ts';

/**
 * Creates an agent. @param protocol protocol of the requests @param admit runs before the proxy receives a request for a host; rejects if the host is forbidden
 */
export function createProxyAgent(
  protocol: string,
  { url, variable }: UsedProxy,
  options: AgentOptions,
  admit: ((hostname: string) => Promise<void>) | undefined,
): HttpAgent {
  const agent = protocol === 'https:' ? new HttpsProxyAgent(url, options) : new HttpProxyAgent(url, options);
  const place = `${url.protocol}//${url.host} (${variable})`;
  const connect = agent.connect.bind(agent) as (...given: Parameters<typeof agent.connect>) => ReturnType<typeof agent.connect>;

  async function connectThrough(request: ClientRequest, target: Parameters<typeof agent.connect>[1]): ReturnType<typeof agent.connect> {
    await admit?.(target.host ?? '');
    let refused: number | undefined;
    request.once('proxyConnect', ({ statusCode }: { statusCode: number }) => (refused = statusCode === 200 ? undefined : statusCode));
    try {
      const socket = await connect(request, { ...options, ...target });
      if (refused === undefined) return socket;
      socket.destroy();
    } catch (fault) {
      throw Object.assign(new Error(`the proxy ${place} could not be used: ${messageOf(fault)}`, { cause: fault }), { code: codeOf(fault) });
    }
    const advice =
      refused === 407 ? 'Add the user name and password to the address of the proxy' : 'Ask the operator of the proxy, or add the host to NO_PROXY';
    throw new Error(`the proxy ${place} refused the connection with status ${refused}. ${advice}`);
  }

  return Object.assign(agent, { connect: connectThrough });
}
