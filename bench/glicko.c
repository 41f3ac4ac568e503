/* The plain C loop that arpad's Glicko-2 is measured against: rating periods, tau 0.5, start 1500 / 350 / 0.06, growth in
 * the periods in between when a player is met again, deviation up to 350, volatility up to 0.1.
 * `period` holds the number of each game's period, ascending from 1. Natural units: rating 0 is 1500, one unit 400/ln(10).
 * Build: cc -O3 -ffp-contract=off -shared -fPIC -o glicko.so glicko.c -lm
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define TAU2 0.25
#define TAU 0.5

static double f(double x, double a, double delta2, double phi2, double v)
{
    double e = exp(x), d = phi2 + v + e;
    return e * (delta2 - d) / (2.0 * d * d) - (x - a) / TAU2;
}

static double volatility(double sigma, double delta2, double phi2, double v)
{
    double a = log(sigma * sigma), A = a, B;
    if (delta2 > phi2 + v)
        B = log(delta2 - phi2 - v);
    else {
        int k = 1;
        while (f(a - k * TAU, a, delta2, phi2, v) < 0.0) k++;
        B = a - k * TAU;
    }
    double fA = f(A, a, delta2, phi2, v), fB = f(B, a, delta2, phi2, v);
    while (fabs(B - A) > 1e-6) {
        double C = A + (A - B) * fA / (fB - fA), fC = f(C, a, delta2, phi2, v);
        if (fC * fB <= 0.0) { A = B; fA = fB; }
        else fA /= 2.0;
        B = C;
        fB = fC;
    }
    return exp(A / 2.0);
}

/* r, phi, sigma, last: one entry a player, begun by the caller. */
void rate(int64_t n, int32_t players, const int32_t *first, const int32_t *second, const double *score,
          const int32_t *period, double *r, double *phi, double *sigma, int32_t *last)
{
    const double most = 350.0 * log(10.0) / 400.0;
    double *g = malloc(8 * players), *met = malloc(8 * players);
    double *information = calloc(players, 8), *gain = calloc(players, 8);
    uint8_t *seen = calloc(players, 1);
    int32_t *touched = malloc(4 * players), count = 0;
    int64_t i = 0;
    while (i < n) {
        int32_t now = period[i];
        for (; i < n && period[i] == now; i++) {
            int32_t side[2] = {first[i], second[i]};
            for (int k = 0; k < 2; k++) {
                int32_t p = side[k];
                if (seen[p]) continue;
                seen[p] = 1;
                touched[count++] = p;
                double phi2 = phi[p] * phi[p];
                if (last[p] && now - last[p] > 1) phi2 += sigma[p] * sigma[p] * (now - last[p] - 1);
                met[p] = fmin(sqrt(phi2), most);
                g[p] = 1.0 / sqrt(1.0 + 3.0 * met[p] * met[p] / (M_PI * M_PI));
            }
            int32_t a = side[0], b = side[1];
            double d = r[a] - r[b];
            double ea = 1.0 / (1.0 + exp(-g[b] * d)), eb = 1.0 / (1.0 + exp(g[a] * d));
            information[a] += g[b] * g[b] * ea * (1.0 - ea);
            information[b] += g[a] * g[a] * eb * (1.0 - eb);
            gain[a] += g[b] * (score[i] - ea);
            gain[b] += g[a] * (1.0 - score[i] - eb);
        }
        for (int32_t k = 0; k < count; k++) {
            int32_t p = touched[k];
            double v = 1.0 / information[p], delta = v * gain[p], phi2 = met[p] * met[p];
            sigma[p] = fmin(volatility(sigma[p], delta * delta, phi2, v), 0.1);
            phi2 = 1.0 / (1.0 / (phi2 + sigma[p] * sigma[p]) + information[p]);
            r[p] += phi2 * gain[p];
            phi[p] = fmin(sqrt(phi2), most);
            last[p] = now;
            information[p] = gain[p] = 0.0;
            seen[p] = 0;
        }
        count = 0;
    }
    free(g); free(met); free(information); free(gain); free(seen); free(touched);
}
