/** The credentials of the environment that is measured. */
export const sdkKey = "sdk-11111111-aaaa-4bbb-8ccc-222222222222";
export const mobileKey = "mob-33333333-aaaa-4bbb-8ccc-444444444444";
export const envId = "0123456789abcdef01234567";
