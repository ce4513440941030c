/** What a client may conclude from an answer: done, refused for good, or outcome unknown. */
type Finality = "TerminalSuccess" | "TerminalFailure" | "Indeterminate";

type RefusalStatus = 400 | 401 | 403 | 404 | 422;
type UnknownStatus = 429 | 500 | 502 | 503 | 504;

export interface ResponseCode {
  readonly code: string;
  readonly httpStatus: 200 | RefusalStatus | UnknownStatus;
  readonly message: string;
  readonly finality: Finality;
}

function success(code: string, message: string): ResponseCode {
  return { code, httpStatus: 200, message, finality: "TerminalSuccess" };
}

function refuse(code: string, httpStatus: RefusalStatus, message: string): ResponseCode {
  return { code, httpStatus, message, finality: "TerminalFailure" };
}

function unknown(code: string, httpStatus: UnknownStatus, message: string): ResponseCode {
  return { code, httpStatus, message, finality: "Indeterminate" };
}

/**
 * The only place where a response code, its HTTP status, text and finality are written.
 * A code stands under two names only where its HTTP status depends on the circumstances.
 */
export const codes = {
  SUCCESS: success("000", "Success"),

  // Validation and request errors.
  INVALID_REQUEST_AMOUNT: refuse("111", 400, "Invalid request amount"),
  INVALID_CARD_ID: refuse("112", 400, "Invalid card id"),
  INVALID_UNIQUE_KEY: refuse("113", 401, "Invalid unique key"),
  MAX_TOP_UP_LIMIT_EXCEEDED: refuse("114", 422, "Max top-up limit exceeded"),
  KYC_NOT_APPROVED: refuse("115", 422, "Organization disabled / KYC not approved"),
  ORGANIZATION_DISABLED: refuse("115", 403, "Organization disabled / KYC not approved"),
  INSUFFICIENT_FUNDS: refuse("116", 422, "Insufficient funds"),
  CARD_NOT_ACTIVE: refuse("117", 422, "Card not active"),
  TRANSACTION_NOT_PERMITTED: refuse("119", 422, "Transaction not permitted"),
  CURRENCY_NOT_SUPPORTED: refuse("121", 422, "Currency not supported"),
  INVALID_CARD_PIN: refuse("122", 422, "Invalid card PIN"),
  INVALID_CARDHOLDER_NAME: refuse("123", 422, "Invalid cardholder name"),
  INVALID_CARD_EXPIRY_DATE: refuse("124", 422, "Invalid card expiry date"),
  MID_NOT_ALLOWED: refuse("125", 422, "MID not allowed"),
  COUNTRY_NOT_SUPPORTED: refuse("126", 422, "Country not supported"),
  MCC_NOT_SUPPORTED: refuse("127", 422, "MCC not supported"),
  SUSPICIOUS_TRANSACTION: refuse("128", 422, "Suspicious transaction"),
  TRANSACTION_LIMIT_EXCEEDED: refuse("129", 422, "Transaction limit exceeded"),
  VELOCITY_LIMIT_EXCEEDED: refuse("130", 422, "Velocity limit exceeded"),
  INVALID_REQUEST: refuse("131", 400, "Invalid request"),
  INVALID_DATE_REQUEST: refuse("132", 400, "Invalid date request"),
  INVALID_TRANSACTION: refuse("133", 422, "Invalid transaction"),
  INVALID_MERCHANT: refuse("134", 422, "Invalid merchant"),
  INVALID_ACCOUNT: refuse("135", 422, "Invalid account"),
  FORMAT_ERROR: refuse("136", 422, "Format error"),
  SECURITY_ERROR: refuse("137", 401, "Security error"),
  DUPLICATE_TRANSACTION: refuse("138", 422, "Duplicate transaction"),
  DUPLICATE_REQUEST: refuse("139", 400, "Duplicate request"),
  DO_NOT_HONOUR: refuse("140", 422, "Do not honour"),
  RESTRICTED_CARD: refuse("141", 422, "Restricted card"),
  CARD_EXPIRED: refuse("142", 422, "Card expired"),
  CARD_CLOSED: refuse("143", 422, "Card closed"),
  CARD_LOST_OR_STOLEN: refuse("144", 422, "Card lost or stolen"),
  FRAUDULENT_TRANSACTION: refuse("145", 422, "Fraudulent transaction"),
  AUTHENTICATION_FAILED: refuse("146", 401, "Authentication failed"),
  PIN_TRIES_EXCEEDED: refuse("147", 422, "PIN tries exceeded"),
  NO_CARD_RECORD: refuse("148", 404, "No card record"),
  UNAUTHORIZED: refuse("149", 403, "Unauthorized"),

  // Service and processing errors.
  SERVICE_MALFUNCTION: unknown("150", 503, "Service malfunction"),
  SERVICE_TIMEOUT: unknown("151", 504, "Service timeout"),
  TERMINAL_PROCESSOR_ERROR: unknown("152", 502, "Terminal processor error"),
  CASH_SERVICE_NOT_AVAILABLE: unknown("153", 503, "Cash service not available"),
  LAW_VIOLATION: refuse("154", 422, "Law violation"),
  AML_REQUIREMENT_NOT_FULFILLED: refuse("155", 422, "AML requirement not fulfilled"),
  FILE_TEMPORARILY_UNAVAILABLE: unknown("156", 503, "File temporarily unavailable"),
  UNABLE_TO_LOCATE_RECORD: refuse("157", 404, "Unable to locate record"),
  REQUESTED_INFORMATION_MISSING: refuse("158", 422, "Requested information missing"),
  DUPLICATE_TRANSMISSION: refuse("159", 422, "Duplicate transmission"),
  STOP_PAYMENT_ORDER: refuse("160", 422, "Stop payment order"),
  NEGATIVE_BALANCE_EXCEEDS_LIMIT: refuse("161", 422, "Negative balance exceeds limit"),
  INVALID_TRACK_DATA: refuse("162", 422, "Invalid track data"),
  INVALID_EMV_DATA: refuse("163", 422, "Invalid EMV data"),
  INVALID_PARTIAL_AUTH_AMOUNT: refuse("164", 422, "Invalid partial auth amount"),
  AMOUNT_EXCEEDS_PREAUTH: refuse("165", 422, "Amount exceeds preauth"),
  RE_ENTER_TRANSACTION: unknown("166", 502, "Re-enter transaction"),
  REFER_TO_ISSUER: unknown("167", 502, "Refer to issuer"),
  REFER_TO_ISSUER_SPECIAL_CONDITION: unknown("168", 502, "Refer to issuer (special condition)"),
  NO_ISSUER: unknown("169", 502, "No issuer"),
  NO_ACTION_TAKEN: unknown("170", 429, "No action taken"),
  NO_FINANCIAL_IMPACT: unknown("171", 502, "No financial impact"),
  ISSUER_SWITCH_TIMEOUT: unknown("172", 504, "Issuer/switch timeout"),
  INSTITUTION_NOT_FOUND: refuse("173", 422, "Institution not found"),
  UNSOLICITED_REVERSAL: unknown("174", 502, "Unsolicited reversal"),
  ALREADY_REVERSED: refuse("175", 422, "Already reversed"),
  AUTHORIZATION_DECLINED: refuse("176", 422, "Authorization declined"),
  AUTHORIZATION_ERROR: unknown("177", 502, "Authorization error"),
  REQUEST_ERROR: refuse("178", 422, "Request error"),
  NO_REASON_TO_DECLINE: unknown("179", 502, "No reason to decline"),
  VERIFICATION_FAILED: refuse("180", 422, "Verification failed"),
  OFAC_FAILED: refuse("181", 422, "OFAC failed"),
  KYC_FAILED: refuse("182", 422, "KYC failed"),
  KYC_MANUAL_REVIEW_REQUIRED: unknown("183", 503, "KYC manual review required"),
  ADDRESS_VERIFICATION_FAILED: refuse("184", 422, "Address verification failed"),
  ID_VERIFICATION_FAILED: refuse("185", 422, "ID verification failed"),
  MERCHANT_BLACKLISTED: refuse("186", 422, "Merchant blacklisted"),
  CARD_ACCOUNT_VERIFICATION_ERROR: unknown("187", 502, "Card account verification error"),
  NO_VALID_CVV_VERIFICATION: refuse("188", 422, "No valid CVV verification"),
  FREQUENCY_LIMITS_EXCEEDED: refuse("189", 422, "Frequency limits exceeded"),

  // PIN, card and account states.
  INCORRECT_PIN: refuse("201", 422, "Incorrect PIN"),
  INVALID_PIN: refuse("202", 422, "Invalid PIN"),
  NO_PIN_ASSIGNED: refuse("203", 422, "No PIN assigned"),
  PIN_ALREADY_PRESENT: refuse("204", 422, "PIN already present"),
  NO_PIN_CARD: refuse("205", 422, "No PIN card"),
  PIN_CONFIRMATION_FAILED: refuse("206", 422, "PIN confirmation failed"),
  CARD_NOT_EFFECTIVE: refuse("207", 422, "Card not effective"),
  RESTRICTED_CARD_PICKUP: refuse("208", 422, "Restricted card (pickup)"),
  SPECIAL_CONDITIONS_PICKUP: refuse("209", 422, "Special conditions (pickup)"),
  STOLEN_CARD_PICKUP: refuse("210", 422, "Stolen card (pickup)"),
  FRAUDULENT_USE_PICKUP: refuse("211", 422, "Fraudulent use (pickup)"),
  LOST_CARD_PICKUP: refuse("212", 422, "Lost card (pickup)"),
  CALL_ACQUIRER_SECURITY: unknown("213", 502, "Call acquirer security"),
  CALL_ACQUIRER_SECURITY_PICKUP: unknown("214", 502, "Call acquirer security (pickup)"),
  CARD_CLOSED_PICKUP: refuse("215", 422, "Card closed (pickup)"),
  SUSPECTED_FRAUD: refuse("216", 422, "Suspected fraud"),
  INVALID_AMOUNT_INSUFFICIENT_FUNDS: refuse("217", 422, "Invalid amount / insufficient funds"),
  CARDHOLDER_CANCELLED: refuse("218", 422, "Cardholder cancelled"),
  ISSUER_CANCELLED: refuse("219", 422, "Issuer cancelled"),
  CARDHOLDER_DECEASED: refuse("220", 422, "Cardholder deceased"),
  ACCOUNT_CLOSED: refuse("221", 422, "Account closed"),
  ACCOUNT_FROZEN: refuse("222", 422, "Account frozen"),
  ACCOUNT_NOT_AVAILABLE: refuse("223", 422, "Account not available"),
  ACCOUNT_NOT_QUALIFIED: refuse("224", 422, "Account not qualified"),
  RECEIVING_INSTITUTION_NOT_QUALIFIED: refuse("225", 422, "Receiving institution not qualified"),
  ENTRY_REFUSED_BY_RECEIVER: refuse("226", 422, "Entry refused by receiver"),
  RETURNED_ON_ORIGINATOR_REQUEST: refuse("227", 422, "Returned on originator request"),
  AUTHORIZATION_REVOKED: refuse("228", 422, "Authorization revoked"),
  CREDIT_PREVIOUSLY_ISSUED: refuse("229", 422, "Credit previously issued"),
  CREDIT_NOT_PROCESSED: unknown("230", 502, "Credit not processed"),
  WARNING_BULLETIN: unknown("231", 502, "Warning bulletin"),
  AUTHORIZATION_NOT_OBTAINED: refuse("232", 422, "Authorization not obtained"),
  TRANSACTION_NOT_RECONCILED: unknown("233", 502, "Transaction not reconciled"),
  ACCOUNT_NUMBER_NOT_ON_FILE: refuse("234", 422, "Account number not on file"),
  TRANSACTION_AMOUNT_DIFFERS: refuse("235", 422, "Transaction amount differs"),
  NO_CARDHOLDER_AUTHORIZATION: refuse("236", 422, "No cardholder authorization"),
  FRAUDULENT_PROCESSING: refuse("237", 422, "Fraudulent processing"),
  CARDHOLDER_DENIES: refuse("238", 422, "Cardholder denies"),
  DUPLICATE_PROCESSING: refuse("239", 422, "Duplicate processing"),

  // Risk and compliance.
  FRAUD_RULE_TRIGGERED: refuse("301", 422, "Fraud rule triggered"),
  BEHAVIOURAL_RISK_TRIGGERED: refuse("302", 422, "Behavioural risk triggered"),
  DEVICE_RISK_TRIGGERED: refuse("303", 422, "Device risk triggered"),
  GEO_RISK_TRIGGERED: refuse("304", 422, "Geo risk triggered"),
  SANCTIONS_SCREENING_FAILED: refuse("305", 422, "Sanctions screening failed"),
  PEP_MATCH_FOUND: refuse("306", 422, "PEP match found"),
  AML_RISK_TRIGGERED: refuse("307", 422, "AML risk triggered"),
  HIGH_RISK_MERCHANT: refuse("308", 422, "High-risk merchant"),
  HIGH_RISK_COUNTRY: refuse("309", 422, "High-risk country"),
  PROGRAM_RESTRICTION: refuse("310", 422, "Program restriction"),

  SERVICE_EXCEPTION: unknown("911", 500, "Service exception"),
} satisfies Record<string, ResponseCode>;

export type CodeName = keyof typeof codes;

const messages = new Map<string, string>(
  Object.values(codes).map(({ code, message }) => [code, message]),
);

const finalities = new Map<string, Finality>(
  Object.values(codes).map(({ code, finality }) => [code, finality]),
);

/** What a client could conclude from a code that was stored. */
export const finalityOf = (code: string): Finality => finalities.get(code) ?? "Indeterminate";

/** What a code that was stored means. */
export function messageOf(code: string): string {
  const message = messages.get(code);
  if (message === undefined) throw new Error(`Unknown response code ${code}`);
  return message;
}
