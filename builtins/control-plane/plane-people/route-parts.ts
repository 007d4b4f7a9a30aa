// Defines the dependencies that the account and organisation routes share.
import type { Principal, Route, RouteContext } from 'agent-harness/plugins/http';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { Audit } from 'agent-harness/builtins/control-plane/plane-audit-log';
import type { Accounts } from './accounts.ts';
import type { AccessChange, Member, Person, PlaneAttempts } from './contract.ts';
import type { Credentials } from './credentials.ts';
import type { Directory } from './directory.ts';
import type { Invites } from './invites.ts';
import type { Mail } from './mail.ts';
import type { Members } from './membership.ts';
import type { MakeError } from './people-errors.ts';
import type { Principals, SignedIn } from './principals.ts';
import type { Sessions } from './sessions.ts';

export interface RouteParts {
  readonly database: Database;
  readonly directory: Directory;
  readonly accounts: Accounts;
  readonly invites: Invites;
  readonly members: Members;
  readonly sessions: Sessions;
  readonly credentials: Credentials;
  readonly attempts: PlaneAttempts;
  readonly mail: Mail;
  readonly audit: () => Audit | undefined;
  readonly planeUrl: () => string;
  /** Returns whether any person may create an account and organisations. */
  readonly isOpen: () => boolean;
  readonly clientOf: (context: Pick<RouteContext, 'peer' | 'headers'>) => string;
  readonly changed: (change: AccessChange) => void;
  readonly warn: (message: string) => void;
  readonly makeError: MakeError;
  /** Throws `SIGNED_OUT`, and `SESSION_NEEDED` if a browser session is required. */
  readonly signedIn: (principal: Principal | undefined, via?: 'session') => SignedIn;
  readonly member: Principals['member'];
  /** Returns the member if the path names the member's organisation. Throws `NOT_FOUND` and the errors of `member`. */
  readonly memberOf: (principal: Principal | undefined, orgId: string, via?: 'session') => Member;
  /** Accepts an invitation, and resolves with the id of the organisation. Rejects with the errors of {@link Invites.accept}. */
  readonly acceptInvite: (token: string, person: Person) => Promise<string>;
  /** Checks each handler against its own schema; the returned type erases the schema. */
  readonly route: <S extends Route['schema']>(one: Route<S>) => Route;
}
