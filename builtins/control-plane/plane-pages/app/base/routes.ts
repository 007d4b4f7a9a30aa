// Combines the types of all routes that the pages call.
import type {} from '../../../plane-audit/routes.ts';
import type {} from '../../../plane-bus/routes.ts';
import type {} from '../../../plane-connect/api-routes.ts';
import type {} from '../../../plane-history/routes.ts';
import type {} from '../../../plane-inference/routes.ts';
import type {} from '../../../plane-licenses/routes.ts';
import type {} from '../../../plane-people/account-routes.ts';
import type {} from '../../../plane-people/organisation-routes.ts';
import type {} from '../../../plane-serve/routes.ts';
import type {} from '../../../plane-service-sign-in/routes.ts';
import type {} from '../../../plane-sso/link-routes.ts';
import type {} from '../../../plane-sso/routes.ts';
import type {} from '../../../plane-notes/routes.ts';
import type {} from '../../../plane-policy/routes.ts';
