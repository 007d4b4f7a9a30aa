// Decides whether the control plane or the user's own key serves a model request, and with which model.
import type { ConfigField, KernelError } from 'agent-harness/kernel';
import { withLimit } from '#lib/async';
import { BoundedMap } from '#lib/values';
import type { ModelFault, ModelRequest, ModelRoute, ProviderRequest } from 'agent-harness/plugins/models';
import type { InferenceSession, SessionRefresher } from './session-refresher.ts';

export interface ManagedRoute {
  /**
   * See the hook `model.route`. For routes of an actual request, rejects with `UNREACHABLE` and `NO_MODEL`.
   * @param hasEndpoint whether the user set an address for this kind of request; it takes precedence unless all requests must be managed
   */
  decide(own: ModelRoute, request: ModelRequest | ProviderRequest | undefined, hasEndpoint: boolean): Promise<ModelRoute>;
  /** See the hook `model.fault`. */
  failed(fault: ModelFault, target: ModelRoute): boolean;
  /** Returns whether the last known configuration uses managed inference. */
  isManaged(): boolean;
  /** Returns whether the user has set a key. */
  hasOwnKey(): boolean;
  /** Returns whether the newest request went to the control plane. */
  answeredLast(): boolean;
  /** Returns the model that managed inference uses for chats. */
  model(): string | undefined;
}

export interface ManagedRouteParts {
  readonly refresher: SessionRefresher;
  mode(): 'byok' | 'managed' | 'auto';
  fields(): readonly ConfigField[];
  readonly makeError: (reason: 'NO_MODEL') => KernelError;
}

/** Maximum wait, in milliseconds, of callers that only need the route and send no request. */
const routeMs = 1_000;
/** Maximum number of session tokens to remember. */
const maxTokens = 16;

export function createManagedRoute({ refresher, mode, fields, makeError }: ManagedRouteParts): ManagedRoute {
  /** Whether the user has a key, or an endpoint that needs none. */
  let hasOwn = false;
  let hasOwnKey = false;
  let wasManaged = false;
  /** Tokens that were used for requests. */
  const given = new BoundedMap<string, true>(maxTokens);

  function isManaged(): boolean {
    const chosen = mode();
    return chosen === 'managed' || (chosen === 'auto' && !hasOwn);
  }

  const setting = (variable: string): { readonly value: string; readonly isChosen: boolean } => {
    const field = fields().find(({ key }) => key === variable);
    return { value: typeof field?.value === 'string' ? field.value : '', isChosen: field?.isSet === true && field.source !== 'default' };
  };

  /** Returns the user's model even if it is not offered: the error then lists the offered models. */
  function modelFor(own: ModelRoute, request: ModelRequest | ProviderRequest | undefined, offered: readonly string[] | undefined): string | undefined {
    if (request && 'path' in request) return own.model;
    if (request?.model) return request.model;
    const fast = setting('AGENT_FAST_MODEL').value;
    if (request && request.purpose !== 'chat' && fast !== '') return fast;
    const { value, isChosen } = setting('AGENT_MODEL');
    const chosenModel = own.wire === 'demo' || !isChosen ? value : own.model;
    if (isChosen || offered === undefined || offered.includes(chosenModel)) return chosenModel;
    return offered[0];
  }

  function routeOver(session: InferenceSession | undefined, own: ModelRoute, request: ModelRequest | ProviderRequest | undefined): ModelRoute {
    const model = modelFor(own, request, session?.models);
    if (model === undefined && request) throw makeError('NO_MODEL');
    if (session && request) given.set(session.token, true);
    return {
      wire: 'chat-completions',
      model: model ?? own.model,
      baseURL: session?.baseURL ?? own.baseURL,
      ...(session ? { apiKey: session.token } : {}),
      ...(request ? { headers: { 'x-hub-purpose': purposeOf(request.purpose) } } : {}),
    };
  }

  return {
    async decide(own, request, hasEndpoint) {
      if (hasEndpoint) {
        if (mode() !== 'managed') return own;
      } else {
        hasOwn = own.wire !== 'demo';
        hasOwnKey = own.apiKey !== undefined;
      }
      const isOurs = isManaged();
      if (request) wasManaged = isOurs;
      if (!isOurs) return own;
      if (request) return routeOver(await refresher.get(), own, request);
      const known = refresher.current();
      if (known || refresher.isCoolingDown()) return routeOver(known, own, undefined);
      const fetched = refresher.get().catch(() => undefined);
      return routeOver(await withLimit(fetched, routeMs, () => undefined), own, undefined);
    },
    failed({ kind }, { apiKey }) {
      // A session can end early after a change of the license or of the control plane's secret.
      if (kind !== 'auth' || apiKey === undefined || !given.has(apiKey)) return false;
      refresher.drop(apiKey);
      return refresher.current()?.token !== apiKey;
    },
    isManaged,
    hasOwnKey: () => hasOwnKey,
    answeredLast: () => wasManaged,
    model: () => modelFor({ wire: 'demo', model: '', baseURL: '' }, undefined, refresher.current()?.models),
  };
}

const purposeOf = (purpose: string): string => purpose.toLowerCase().replace(/[^a-z0-9_-]+/g, '-');
